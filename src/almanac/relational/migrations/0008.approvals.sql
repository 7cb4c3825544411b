-- Approvals: one row for each time somebody asked, bound to the hash of the content; at most one per subject counts.

CREATE TABLE approvals (
    id text PRIMARY KEY,
    kind text NOT NULL,
    subject_id text NOT NULL,
    in_force boolean NOT NULL DEFAULT true,
    content_hash text NOT NULL CONSTRAINT approvals_hash_is_whole CHECK (content_hash ~ '^[0-9a-f]{64}$'),
    state text NOT NULL CONSTRAINT approvals_state_is_known
        CHECK (state IN ('waiting', 'approved', 'rejected', 'void', 'withdrawn')),
    title text NOT NULL,
    link text NOT NULL,
    authors text[] NOT NULL,
    asked_by text NOT NULL,
    asked_by_name text NOT NULL,
    asked_at timestamptz NOT NULL,
    decided_by text,
    decided_by_name text,
    decided_at timestamptz,
    note text NOT NULL DEFAULT '',
    ended_at timestamptz,
    ended_why text NOT NULL DEFAULT '',
    CONSTRAINT approvals_decision_has_an_author
        CHECK (state NOT IN ('approved', 'rejected') OR (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
    CONSTRAINT approvals_rejection_has_a_note CHECK (state <> 'rejected' OR note <> '')
);

CREATE UNIQUE INDEX approvals_in_force ON approvals (kind, subject_id) WHERE in_force;
CREATE INDEX approvals_waiting ON approvals (id) WHERE in_force AND state = 'waiting';
CREATE INDEX approvals_by_subject ON approvals (kind, subject_id, id DESC);
