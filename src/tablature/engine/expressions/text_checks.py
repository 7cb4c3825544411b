"""Checks that need only the text of an expression: reserved words, operand counts, function names and nesting depth."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from tablature.engine.encoding.values import DEEPEST_NESTING
from tablature.engine.errors import EngineError
from tablature.engine.expressions.syntax_tree import CallNode, OperandNode, PathNode, ValueNode
from tablature.engine.expressions.tokenizer import invalid_expression

RESERVED_WORDS: Final = frozenset(
    """
    ABORT ABSOLUTE ACTION ADD AFTER AGENT AGGREGATE ALL ALLOCATE ALTER ANALYZE AND ANY ARCHIVE ARE ARRAY
    AS ASC ASCII ASENSITIVE ASSERTION ASYMMETRIC AT ATOMIC ATTACH ATTRIBUTE AUTH AUTHORIZATION AUTHORIZE
    AUTO AVG BACK BACKUP BASE BATCH BEFORE BEGIN BETWEEN BIGINT BINARY BIT BLOB BLOCK BOOLEAN BOTH
    BREADTH BUCKET BULK BY BYTE CALL CALLED CALLING CAPACITY CASCADE CASCADED CASE CAST CATALOG CHAR
    CHARACTER CHECK CLASS CLOB CLOSE CLUSTER CLUSTERED CLUSTERING CLUSTERS COALESCE COLLATE COLLATION
    COLLECTION COLUMN COLUMNS COMBINE COMMENT COMMIT COMPACT COMPILE COMPRESS CONDITION CONFLICT CONNECT
    CONNECTION CONSISTENCY CONSISTENT CONSTRAINT CONSTRAINTS CONSTRUCTOR CONSUMED CONTINUE CONVERT COPY
    CORRESPONDING COUNT COUNTER CREATE CROSS CUBE CURRENT CURSOR CYCLE DATA DATABASE DATE DATETIME DAY
    DEALLOCATE DEC DECIMAL DECLARE DEFAULT DEFERRABLE DEFERRED DEFINE DEFINED DEFINITION DELETE
    DELIMITED DEPTH DEREF DESC DESCRIBE DESCRIPTOR DETACH DETERMINISTIC DIAGNOSTICS DIRECTORIES DISABLE
    DISCONNECT DISTINCT DISTRIBUTE DO DOMAIN DOUBLE DROP DUMP DURATION DYNAMIC EACH ELEMENT ELSE ELSEIF
    EMPTY ENABLE END EQUAL EQUALS ERROR ESCAPE ESCAPED EVAL EVALUATE EXCEEDED EXCEPT EXCEPTION
    EXCEPTIONS EXCLUSIVE EXEC EXECUTE EXISTS EXIT EXPLAIN EXPLODE EXPORT EXPRESSION EXTENDED EXTERNAL
    EXTRACT FAIL FALSE FAMILY FETCH FIELDS FILE FILTER FILTERING FINAL FINISH FIRST FIXED FLATTERN FLOAT
    FOR FORCE FOREIGN FORMAT FORWARD FOUND FREE FROM FULL FUNCTION FUNCTIONS GENERAL GENERATE GET GLOB
    GLOBAL GO GOTO GRANT GREATER GROUP GROUPING HANDLER HASH HAVE HAVING HEAP HIDDEN HOLD HOUR
    IDENTIFIED IDENTITY IF IGNORE IMMEDIATE IMPORT IN INCLUDING INCLUSIVE INCREMENT INCREMENTAL INDEX
    INDEXED INDEXES INDICATOR INFINITE INITIALLY INLINE INNER INNTER INOUT INPUT INSENSITIVE INSERT
    INSTEAD INT INTEGER INTERSECT INTERVAL INTO INVALIDATE IS ISOLATION ITEM ITEMS ITERATE JOIN KEY KEYS
    LAG LANGUAGE LARGE LAST LATERAL LEAD LEADING LEAVE LEFT LENGTH LESS LEVEL LIKE LIMIT LIMITED LINES
    LIST LOAD LOCAL LOCALTIME LOCALTIMESTAMP LOCATION LOCATOR LOCK LOCKS LOG LOGED LONG LOOP LOWER MAP
    MATCH MATERIALIZED MAX MAXLEN MEMBER MERGE METHOD METRICS MIN MINUS MINUTE MISSING MOD MODE MODIFIES
    MODIFY MODULE MONTH MULTI MULTISET NAME NAMES NATIONAL NATURAL NCHAR NCLOB NEW NEXT NO NONE NOT NULL
    NULLIF NUMBER NUMERIC OBJECT OF OFFLINE OFFSET OLD ON ONLINE ONLY OPAQUE OPEN OPERATOR OPTION OR
    ORDER ORDINALITY OTHER OTHERS OUT OUTER OUTPUT OVER OVERLAPS OVERRIDE OWNER PAD PARALLEL PARAMETER
    PARAMETERS PARTIAL PARTITION PARTITIONED PARTITIONS PATH PERCENT PERCENTILE PERMISSION PERMISSIONS
    PIPE PIPELINED PLAN POOL POSITION PRECISION PREPARE PRESERVE PRIMARY PRIOR PRIVATE PRIVILEGES
    PROCEDURE PROCESSED PROJECT PROJECTION PROPERTY PROVISIONING PUBLIC PUT QUERY QUIT QUORUM RAISE
    RANDOM RANGE RANK RAW READ READS REAL REBUILD RECORD RECURSIVE REDUCE REF REFERENCE REFERENCES
    REFERENCING REGEXP REGION REINDEX RELATIVE RELEASE REMAINDER RENAME REPEAT REPLACE REQUEST RESET
    RESIGNAL RESOURCE RESPONSE RESTORE RESTRICT RESULT RETURN RETURNING RETURNS REVERSE REVOKE RIGHT
    ROLE ROLES ROLLBACK ROLLUP ROUTINE ROW ROWS RULE RULES SAMPLE SATISFIES SAVE SAVEPOINT SCAN SCHEMA
    SCOPE SCROLL SEARCH SECOND SECTION SEGMENT SEGMENTS SELECT SELF SEMI SENSITIVE SEPARATE SEQUENCE
    SERIALIZABLE SESSION SET SETS SHARD SHARE SHARED SHORT SHOW SIGNAL SIMILAR SIZE SKEWED SMALLINT
    SNAPSHOT SOME SOURCE SPACE SPACES SPARSE SPECIFIC SPECIFICTYPE SPLIT SQL SQLCODE SQLERROR
    SQLEXCEPTION SQLSTATE SQLWARNING START STATE STATIC STATUS STORAGE STORE STORED STREAM STRING STRUCT
    STYLE SUB SUBMULTISET SUBPARTITION SUBSTRING SUBTYPE SUM SUPER SYMMETRIC SYNONYM SYSTEM TABLE
    TABLESAMPLE TEMP TEMPORARY TERMINATED TEXT THAN THEN THROUGHPUT TIME TIMESTAMP TIMEZONE TINYINT TO
    TOKEN TOTAL TOUCH TRAILING TRANSACTION TRANSFORM TRANSLATE TRANSLATION TREAT TRIGGER TRIM TRUE
    TRUNCATE TTL TUPLE TYPE UNDER UNDO UNION UNIQUE UNIT UNKNOWN UNLOGGED UNNEST UNPROCESSED UNSIGNED
    UNTIL UPDATE UPPER URL USAGE USE USER USERS USING UUID VACUUM VALUE VALUED VALUES VARCHAR VARIABLE
    VARIANCE VARINT VARYING VIEW VIEWS VIRTUAL VOID WAIT WHEN WHENEVER WHERE WHILE WINDOW WITH WITHIN
    WITHOUT WORK WRAPPED WRITE YEAR ZONE
    """.split()
)


def is_reserved(name: str) -> bool:
    return name.upper() in RESERVED_WORDS


CONDITION_FUNCTIONS: Final = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
    "size": 1,
}
UPDATE_FUNCTIONS: Final = {"if_not_exists": 2, "list_append": 2}
_MAX_OPERATORS: Final = 300


def reject_too_many_operators(count: int, parameter: str) -> None:
    if count > _MAX_OPERATORS:
        detail = f"The expression contains too many operators; operator count: {count}"
        raise invalid_expression(parameter, detail)


def reject_reserved_words(paths: Iterable[PathNode], parameter: str) -> None:
    for path in paths:
        for part in path.parts:
            if isinstance(part, str) and is_reserved(part):
                detail = f"Attribute name is a reserved keyword; reserved keyword: {part}"
                raise invalid_expression(parameter, detail)


def reject_deep_paths(paths: Iterable[PathNode], parameter: str) -> None:
    for path in paths:
        if len(path.parts) > DEEPEST_NESTING:
            detail = f"The document path has too many nesting levels; nesting levels: {len(path.parts)}"
            raise invalid_expression(parameter, detail)


def reject_unknown_functions(calls: Iterable[CallNode], allowed: Collection[str], parameter: str) -> None:
    """Reject a function that doesn't exist, or belongs to the other kind of expression."""
    for call in calls:
        if call.function not in allowed:
            raise invalid_expression(parameter, _function_error(call.function))


def _function_error(function: str) -> str:
    if function in UPDATE_FUNCTIONS:
        return f"The function is not allowed in a condition expression; function: {function}"
    if function in CONDITION_FUNCTIONS:
        return f"The function is not allowed in an update expression; function: {function}"
    return f"Invalid function name; function: {function}"


def wrong_operand_count(operator: str, count: int) -> str:
    return (
        "Incorrect number of operands for operator or function; "
        f"operator or function: {operator}, number of operands: {count}"
    )


def wrong_operand_type(operator: str, kind: str) -> str:
    return f"Incorrect operand type for operator or function; operator or function: {operator}, operand type: {kind}"


def needs_path(operator: str) -> str:
    return f"Operator or function requires a document path; operator or function: {operator}"


def with_parameter_name(parameter: str, error: EngineError) -> EngineError:
    """The error with the name of its expression."""
    return invalid_expression(parameter, error.message)


def calls_in(operand: OperandNode) -> Iterator[CallNode]:
    """Every call in an operand, the inner ones first."""
    if isinstance(operand, CallNode):
        for argument in operand.arguments:
            yield from calls_in(argument)
        yield operand


def leaves_in(operand: OperandNode) -> Iterator[PathNode | ValueNode]:
    """Every path and value in an operand, in the order of the text."""
    if isinstance(operand, CallNode):
        for argument in operand.arguments:
            yield from leaves_in(argument)
    else:
        yield operand
