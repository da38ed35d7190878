-- The moment at which all apps of the organization were suspended together. It equals suspended_at as long as that
-- suspension lasts: a version that does not know the column changes suspended_at only, and the two differ.
alter table installs add column suspended_all_at timestamptz;
