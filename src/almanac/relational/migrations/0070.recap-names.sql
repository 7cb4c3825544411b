-- The ways in which people look for somebody who spoke: any end of the name and of its reading, in kana and in Roman letters,
-- folded so that old and new characters are one. They belong to the name's value in the register.

CREATE TABLE recap_names (
    form text NOT NULL,
    value integer NOT NULL REFERENCES recap_values (id) ON DELETE CASCADE,
    -- Whether the form is the whole name and not only its end.
    is_whole boolean NOT NULL,
    PRIMARY KEY (value, form)
);

CREATE INDEX recap_names_beginnings ON recap_names (form text_pattern_ops);
