"""Compose and Kubernetes: whole, pinned, and of one mind."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.deploy.components import DEPLOY, ROOT, documents, package, read, run

COMPOSE: dict[str, Any] = read("compose.yaml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


@pytest.fixture(scope="module")
def objects() -> list[dict[str, Any]]:
    """What `kubectl apply -k deploy` would send."""
    return documents(run("kubectl", "kustomize", "."))


def test_compose_fits_its_schema() -> None:
    check = package("check_jsonschema")

    with pytest.raises(SystemExit) as ended:
        check.main(["--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml")])

    assert ended.value.code == 0


def test_every_file_compose_mounts_or_builds_from_exists() -> None:
    mounted = [volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())]

    assert [path for path in mounted if not (DEPLOY / path).exists()] == []
    assert (DEPLOY / SERVICES["server"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / SERVICES["server"]["build"]["dockerfile"]).exists()


def test_every_file_the_image_copies_exists() -> None:
    lines = re.findall(r"^COPY (.+) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    copied = [path for line in lines for path in line.split()]

    assert len(copied) >= 5
    assert [path for path in copied if not (ROOT / path).exists()] == []


def test_every_image_is_pinned_to_a_full_version() -> None:
    images = [service["image"] for service in SERVICES.values()]
    images += re.findall(r"^FROM (\S+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)

    assert [image for image in images if not re.search(r":v?\d+\.\d+\.\d+", image)] == []


def test_every_published_port_is_on_loopback_only() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]

    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_kubernetes_runs_the_same_services_from_the_same_images(objects: list[dict[str, Any]]) -> None:
    images = {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]["containers"][0]["image"]
        for each in objects
        if each["kind"] == "Deployment"
    }

    assert images == {name: service["image"] for name, service in SERVICES.items()}


def test_kubernetes_sets_the_same_environment(objects: list[dict[str, Any]]) -> None:
    given = {
        each["metadata"]["name"]: {
            variable["name"]: variable["value"]
            for variable in each["spec"]["template"]["spec"]["containers"][0].get("env", ())
        }
        for each in objects
        if each["kind"] == "Deployment"
    }

    assert given == {name: service.get("environment", {}) for name, service in SERVICES.items()}


def test_kubernetes_gives_each_service_as_much_memory(objects: list[dict[str, Any]]) -> None:
    given = {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
        for each in objects
        if each["kind"] == "Deployment"
    }
    wanted = {name: service["mem_limit"] for name, service in SERVICES.items()}

    assert given == {
        name: {"memory": limit.replace("m", "Mi").replace("g", "Gi")} for name, limit in wanted.items()
    }


def test_every_pod_that_listens_says_when_it_is_ready(objects: list[dict[str, Any]]) -> None:
    pods = [each["spec"]["template"]["spec"] for each in objects if each["kind"] == "Deployment"]
    listening = [one for pod in pods for one in pod["containers"] if "ports" in one]

    assert len(listening) >= 5
    for container in listening:
        (way,) = container["readinessProbe"].values()
        assert way["port"] in {port["name"] for port in container["ports"]}


def test_no_service_of_compose_may_become_root() -> None:
    for service in SERVICES.values():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_a_health_check_asks_the_port_its_service_publishes() -> None:
    checked = {name: one for name, one in SERVICES.items() if "healthcheck" in one}

    assert {"server", "prometheus", "alertmanager", "grafana"} <= checked.keys()
    for service in checked.values():
        (port,) = (published.rpartition(":")[2] for published in service["ports"])
        assert re.search(rf"127\.0\.0\.1\D+{port}\b", service["healthcheck"]["test"][-1])


def test_every_config_map_and_address_a_manifest_names_exists(objects: list[dict[str, Any]]) -> None:
    maps = {each["metadata"]["name"] for each in objects if each["kind"] == "ConfigMap"}
    hosts = {each["metadata"]["name"] for each in objects if each["kind"] == "Service"}
    mounted = {
        volume["configMap"]["name"]
        for each in objects
        if each["kind"] == "Deployment"
        for volume in each["spec"]["template"]["spec"].get("volumes", ())
        if "configMap" in volume
    }
    named = set(re.findall(r"http://([a-z]+):\d+", json.dumps(objects))) - {"localhost"}

    assert mounted == maps
    assert named <= hosts
    assert named <= set(SERVICES)


def test_no_pod_runs_as_root_or_may_become_it(objects: list[dict[str, Any]]) -> None:
    pods = [each["spec"]["template"]["spec"] for each in objects if each["kind"] == "Deployment"]

    assert len(pods) == len(SERVICES)
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"]
        assert [container["securityContext"] for container in pod["containers"]] == [
            {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "readOnlyRootFilesystem": True,
            }
        ]


def test_every_dashboard_is_in_the_config_map(objects: list[dict[str, Any]]) -> None:
    boards = next(each for each in objects if each["metadata"]["name"].startswith("grafana-dashboards"))

    assert set(boards["data"]) == {path.name for path in (ROOT / "dashboards").glob("*.json")}


def test_the_collector_accepts_its_configuration() -> None:
    run("otelcol", "validate", "--config=collector.yaml")


def test_jaeger_accepts_its_configuration() -> None:
    run("jaeger", "validate", "--config=jaeger.yaml")
