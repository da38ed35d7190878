-- A workload that a key set no longer trusts loses its tokens at data APIs too.
create constraint trigger key_set_workloads_changed after update of workloads on key_sets
  deferrable initially deferred for each row
  when (old.workloads is distinct from new.workloads) execute function key_set_changed();
