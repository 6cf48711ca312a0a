"""Exceptions of validation, parsing and serialisation libraries."""

from __future__ import annotations

from . import case


@case("ValidationError", retryable=False)
def pydantic_missing_and_bad_fields():
    import pydantic

    class User(pydantic.BaseModel):
        name: str
        age: int

    User.model_validate({"age": "old"})


@case("ValidationError", also=("SerializationError",))
def pydantic_model_validate_json_malformed():
    import pydantic

    class User(pydantic.BaseModel):
        name: str

    User.model_validate_json("{name: nobody}")


@case("SerializationError", also=("InternalError",))
def pydantic_serialization_error():
    import pydantic

    class Holder(pydantic.BaseModel):
        thing: object

    Holder(thing=object()).model_dump_json()


@case("InternalError", also=("ConfigurationError",))
def pydantic_schema_generation_bug():
    import pydantic

    class Opaque:
        pass

    pydantic.TypeAdapter(Opaque)


@case("ConfigurationError", also=("ValidationError",))
def pydantic_settings_missing_variable():
    from pydantic_settings import BaseSettings

    class Settings(BaseSettings):
        provoked_database_url: str

    Settings()


@case("ValidationError")
def jsonschema_wrong_type():
    import jsonschema

    jsonschema.validate({"limit": "many"}, {"properties": {"limit": {"type": "integer"}}})


@case("InternalError", also=("ConfigurationError",))
def jsonschema_schema_itself_invalid():
    import jsonschema

    jsonschema.validate({}, {"type": "strng"})


@case("ValidationError")
def marshmallow_missing_field():
    import marshmallow

    marshmallow.Schema.from_dict({"email": marshmallow.fields.Email(required=True)})().load({})


@case("ValidationError")
def msgspec_validation_error():
    import msgspec

    msgspec.json.decode(b'["a"]', type=list[int])


@case("SerializationError")
def msgspec_decode_error():
    import msgspec

    msgspec.json.decode(b'{"a": ')


@case("ValidationError")
def attrs_validator_out_of_range():
    import attrs

    @attrs.define
    class Page:
        size: int = attrs.field(validator=attrs.validators.le(100))

    Page(500)


@case("InternalError", also=("ValidationError",))
def attrs_validator_wrong_type():
    import attrs

    @attrs.define
    class Page:
        size: int = attrs.field(validator=attrs.validators.instance_of(int))

    Page("ten")


@case("InternalError")
def attrs_frozen_instance():
    import attrs

    @attrs.frozen
    class Point:
        x: int

    Point(1).x = 2


@case("ValidationError")
def cattrs_class_validation_error():
    import attrs
    import cattrs

    @attrs.define
    class Page:
        size: int

    cattrs.structure({"size": "ten"}, Page)


@case("ValidationError")
def cattrs_forbidden_extra_keys():
    import attrs
    import cattrs

    @attrs.define
    class Page:
        size: int = 1

    cattrs.Converter(forbid_extra_keys=True).structure({"sise": 3}, Page)


@case("ValidationError")
def voluptuous_multiple_invalid():
    import voluptuous

    voluptuous.Schema({voluptuous.Required("name"): str})({"nom": 1})


@case("ValidationError", also=("InternalError",))
def cerberus_document_error():
    import cerberus

    cerberus.Validator({"name": {"type": "string"}}).validate("not a mapping")


@case("InternalError")
def cerberus_schema_error():
    import cerberus

    cerberus.Validator({"name": {"tpye": "string"}})


@case("ValidationError")
def typeguard_check_failed():
    import typeguard

    typeguard.check_type({"a": "b"}, dict[str, int])


@case("SerializationError")
def yaml_scanner_error():
    import yaml

    yaml.safe_load("a: b: c")


@case("ValidationError", also=("SerializationError",))
def yaml_reader_error():
    import yaml

    yaml.safe_load("a: \x00")


@case("SerializationError")
def yaml_constructor_error_unsafe_tag():
    import yaml

    yaml.safe_load("!!python/object:os.system []")


@case("SerializationError", also=("InternalError",))
def yaml_representer_error():
    import yaml

    yaml.safe_dump({"x": object()})


@case("SerializationError")
def lxml_syntax_error():
    from lxml import etree

    etree.fromstring("<a><b></a>")


@case("ValidationError")
def lxml_xpath_with_a_prefix_nobody_declared():
    from lxml import etree

    etree.fromstring("<a/>").xpath("shop:order")


@case("ValidationError", also=("SerializationError",))
def lxml_document_invalid_against_schema():
    from lxml import etree

    schema = etree.XMLSchema(
        etree.fromstring(
            '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:element name="n" type="x:int"/>'
            "</x:schema>"
        )
    )
    schema.assertValid(etree.fromstring("<n>many</n>"))


@case("ValidationError", also=("SerializationError",))
def lxml_xpath_eval_error():
    from lxml import etree

    etree.fromstring("<a/>").xpath("//[bad")


@case("SerializationError")
def orjson_decode_error():
    import orjson

    orjson.loads(b"{'single': 1}")


@case("InternalError", also=("SerializationError",))
def orjson_encode_error():
    import orjson

    orjson.dumps({"x": object()})


@case("SerializationError")
def msgpack_extra_data():
    import msgpack

    msgpack.unpackb(b"\x01\x02")


@case("SerializationError", also=("ValidationError",))
def msgpack_truncated():
    import msgpack

    msgpack.unpackb(b"\x92\x01")


@case("SerializationError")
def protobuf_decode_error():
    from google.protobuf.struct_pb2 import Struct

    Struct.FromString(b"\xff\xff\xff")


@case("SerializationError")
def protobuf_json_parse_error():
    from google.protobuf import json_format
    from google.protobuf.timestamp_pb2 import Timestamp

    json_format.Parse('"not a time"', Timestamp())


@case("SerializationError", also=("ValidationError",))
def fastavro_bad_header():
    import io

    import fastavro

    next(fastavro.reader(io.BytesIO(b"not avro at all, really")))


@case("ValidationError")
def dateutil_unknown_format():
    from dateutil import parser

    parser.parse("the day after never")


@case("ValidationError")
def packaging_invalid_version():
    from packaging.version import Version

    Version("one.two")


@case("ValidationError")
def email_validator_no_at_sign():
    from email_validator import validate_email

    validate_email("somebody.example.com", check_deliverability=False)


@case("ValidationError", also=("SerializationError",))
def phonenumbers_not_a_number():
    import phonenumbers

    phonenumbers.parse("call me", "US")


@case("ValidationError", also=("SerializationError",))
def jinja2_template_syntax_error():
    import jinja2

    jinja2.Template("{% for %}")


@case("InternalError", also=("ValidationError",))
def jinja2_undefined_variable():
    import jinja2

    jinja2.Template("{{ user.name }}", undefined=jinja2.StrictUndefined).render()


@case("NotFound", also=("ConfigurationError", "InternalError"))
def jinja2_template_not_found():
    import jinja2

    jinja2.Environment(loader=jinja2.DictLoader({})).get_template("invoice.html")


@case("ValidationError", also=("SerializationError",))
def sqlglot_parse_error():
    import sqlglot

    sqlglot.parse_one("SELECT FROM WHERE )")


@case("ValidationError")
def sqlglot_token_error():
    import sqlglot

    sqlglot.parse_one("SELECT 'anna")


@case("ValidationError", also=("NotFound",))
def sqlglot_optimize_error():
    import sqlglot
    from sqlglot.optimizer import optimize

    optimize(sqlglot.parse_one("SELECT price FROM orders"), schema={"orders": {"size": "int"}})


@case("ValidationError")
def croniter_bad_expression():
    import croniter

    croniter.croniter("61 * * * *")


@case("ValidationError")
def pint_incompatible_units():
    import pint

    pint.UnitRegistry().Quantity(1, "metre").to("second")


@case("ValidationError", also=("InternalError",))
def pint_undefined_unit():
    import pint

    pint.UnitRegistry().Quantity(1, "smoots_per_fortnight")


@case("InternalError", also=("ValidationError", "NotFound"))
def pandas_missing_column():
    import pandas

    pandas.DataFrame({"a": [1]})["timeout"]


@case("SerializationError")
def pandas_parser_error():
    import io

    import pandas

    pandas.read_csv(io.StringIO("a,b\n1,2\n1,2,3,4\n"))


@case("SerializationError", also=("ValidationError",))
def pandas_empty_data():
    import io

    import pandas

    pandas.read_csv(io.StringIO(""))


@case("SerializationError", also=("ValidationError",))
def pyarrow_not_a_parquet_file():
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.read_table(pyarrow.BufferReader(b"definitely not parquet"))


@case("ValidationError", also=("InternalError", "SerializationError"))
def numpy_shape_mismatch():
    import numpy

    numpy.ones(3) + numpy.ones(4)


@case("InternalError", also=("ValidationError",))
def numpy_singular_matrix():
    import numpy

    numpy.linalg.inv(numpy.zeros((2, 2)))


@case("SerializationError", also=("ValidationError",))
def pillow_unidentified_image():
    import io

    from PIL import Image

    Image.open(io.BytesIO(b"I am no picture"))


@case("ValidationError", also=("InvalidParams",))
def click_bad_parameter():
    import click

    @click.command()
    @click.option("--count", type=int)
    def command(count):
        return count

    command(["--count", "lots"], standalone_mode=False)


@case("ValidationError", also=("SerializationError",))
def graphql_syntax_error():
    import graphql

    graphql.parse("{ viewer { ")


@case("ValidationError")
def graphql_value_that_is_of_another_type():
    import graphql

    schema = graphql.build_schema("type Query { order(id: Int!): Int }")
    raise graphql.graphql_sync(schema, '{ order(id: "seven") }').errors[0]


@case("ConfigurationError")
def environs_missing_variable():
    import environs

    environs.Env().str("PROVOKED_API_TOKEN")


@case("ConfigurationError")
def decouple_undefined_value():
    from decouple import AutoConfig

    AutoConfig("/nonexistent")("PROVOKED_API_TOKEN")


@case("ConfigurationError", also=("ValidationError",))
def omegaconf_missing_mandatory_value():
    from omegaconf import OmegaConf

    OmegaConf.create({"password": "???"}).password


@case("SerializationError", also=("ValidationError",))
def tomlkit_parse_error():
    import tomlkit

    tomlkit.parse("[unclosed")


@case("InvalidParams", also=("ValidationError", "SerializationError"))
def multipart_parse_error():
    from python_multipart.multipart import MultipartParser

    MultipartParser(b"boundary").write(b"nothing like a boundary")


@case("InternalError", also=("ConfigurationError", "SerializationError"))
def cattrs_has_no_hook_for_the_type():
    import cattrs

    cattrs.structure({}, object())


@case("ServiceUnavailable", also=("ConfigurationError",))
def pyopenssl_reads_what_is_no_tls():
    from OpenSSL import SSL

    connection = SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), None)
    connection.set_connect_state()
    connection.bio_write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.do_handshake()


@case("ValidationError", also=("Conflict", "InvalidParams"))
def jsonpatch_test_fails():
    import jsonpatch

    jsonpatch.apply_patch({"boxes": 1}, [{"op": "test", "path": "/boxes", "value": 2}])


@case("ConfigurationError")
def pydantic_settings_without_a_key():
    from pydantic_settings import BaseSettings

    class Settings(BaseSettings):
        shop_api_key_of_nobody: str

    Settings()


@case("InternalError")
def pydantic_attribute_that_the_model_has_not():
    import pydantic

    class Order(pydantic.BaseModel):
        boxes: int = 1

    Order().boxs = 2
