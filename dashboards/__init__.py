"""Grafana's dashboards as code: `python -m dashboards` writes the JSON beside this file."""
