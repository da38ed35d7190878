-- When an app was last used for a person, by grants that are gone: those without a refresh token go with their tokens.
alter table consents add column last_used_at timestamptz;
