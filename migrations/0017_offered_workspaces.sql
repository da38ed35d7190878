-- Where a person was asked: what the workspaces of a consent were ticked from. null: everywhere, now and later.
alter table consents add column offered_workspace_ids text[];
