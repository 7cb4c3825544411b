-- A message by mail that stays on this machine, because mail isn't set up, isn't sent.
ALTER TABLE notifications DROP CONSTRAINT notifications_state_is_known;
ALTER TABLE notifications ADD CONSTRAINT notifications_state_is_known
    CHECK (state IN ('waiting', 'sending', 'sent', 'kept', 'failed', 'unknown', 'dropped'));
