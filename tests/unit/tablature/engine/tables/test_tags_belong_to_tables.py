"""TagResource, UntagResource and ListTagsOfResource."""

import pytest

INVALID = "ValidationException: One or more parameter values were invalid: "


@pytest.fixture
def arn(engine, make):
    return engine.call("CreateTable", make.table(Tags=[{"Key": "team", "Value": "a"}]))["TableDescription"]["TableArn"]


@pytest.fixture
def tags(engine, arn):
    return lambda: {tag["Key"]: tag["Value"] for tag in engine.call("ListTagsOfResource", {"ResourceArn": arn})["Tags"]}


def test_tags_are_added_changed_and_removed(engine, arn, tags):
    assert tags() == {"team": "a"}
    engine.call("TagResource", {"ResourceArn": arn, "Tags": [{"Key": "team", "Value": "b"}, {"Key": "x", "Value": ""}]})
    assert tags() == {"team": "b", "x": ""}
    engine.call("UntagResource", {"ResourceArn": arn, "TagKeys": ["team", "never there"]})
    assert tags() == {"x": ""}


def test_bad_tags_are_refused_and_change_nothing(refusal, arn, tags):
    def refused(*given):
        return refusal("TagResource", ResourceArn=arn, Tags=list(given))

    assert refused() == "ValidationException: Atleast one Tag needs to be provided as Input."
    assert refused({"Key": "x"}) == "ValidationException: The Tag Value provided is invalid, Value: null"
    assert refused({"Key": "", "Value": "x"}) == "ValidationException: The Tag Key provided is invalid, Key: "
    assert refused({"Key": "a#b", "Value": "x"}) == "ValidationException: The Tag Key provided is invalid, Key: a#b"
    many = [{"Key": f"k{number}", "Value": "x"} for number in range(50)]
    assert refused(*many) == "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn"
    assert refusal("UntagResource", ResourceArn=arn, TagKeys=[]) == (
        "ValidationException: Atleast one Tag Key needs to be provided as Input."
    )
    assert tags() == {"team": "a"}


def test_only_tables_that_exist_have_tags(refusal, arn):
    def refused(name):
        return refusal("ListTagsOfResource", ResourceArn=name)

    missing = arn.replace("orders", "missing")
    assert refused("orders") == f"{INVALID}ARNs must start with 'arn:': orders"
    assert (
        refused("arn:aws:s3:::bucket") == f"{INVALID}Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"
    )
    assert refused(missing) == (
        f"ResourceNotFoundException: Requested resource not found: ResourceArn: {missing} not found"
    )
    assert refused(f"{arn}/index/x").startswith(
        f"{INVALID}Invalid resource arn provided, only table or stream is accepted"
    )
