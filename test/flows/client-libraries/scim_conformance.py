"""Runs scim2-tester (https://pypi.org/project/scim2-tester) against SCIM_URL, and prints what failed."""

import os
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

with Client(
    base_url=os.environ["SCIM_URL"],
    headers={"Authorization": "Bearer " + os.environ["SCIM_TOKEN"]},
    timeout=60,
) as http:
    scim = SyncSCIMClient(http)
    scim.discover()
    results = check_server(scim)

# The server searches users or groups (POST /Users/.search), not both at once (POST /.search is optional).
optional = {"search_with_attributes"}
# The server adds `display` and `type` to members; these checks take that for a difference.
added = "Attribute 'members' was not "
failures = {Status.ERROR, Status.CRITICAL}
bad = [
    one
    for one in results
    if one.status in failures
    and one.title not in optional
    and not (one.reason or "").startswith(added)
]
for one in bad:
    print(one.status.name, one.title, "-", one.reason)
good = [one for one in results if one.status == Status.SUCCESS]
print(f"{len(good)} checks succeeded, {len(bad)} failed")
sys.exit(1 if bad or not good else 0)
