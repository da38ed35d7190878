-- Since when the operator has vouched for what the app says of itself; null: nobody has.
alter table apps add column reviewed_at timestamptz;
