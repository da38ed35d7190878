import { spawnSync } from 'node:child_process'
import t from 'tap'
import type { LoggedEvent } from '../../../src/core/audit/audit-log.ts'
import { ocsfOf, ocsfTypes } from '../../../src/core/audit-streams/ocsf.ts'
import { eventRules } from '../../../src/core/language/event-types.ts'

const eventOf = (type: string, part: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{
    id: '17',
    at: new Date('2026-01-02T03:04:05.678Z'),
    type,
    actor: { kind: 'user', id: 'usr1' },
  },
  ...{ organizationId: 'org1', clientId: 'app1', userId: 'usr2', address: '192.0.2.7' },
  ...{ requestId: 'req1', detail: { permissions: ['records:read'], key_set_id: 'kst1' } },
  ...part,
})

const bare = { organizationId: null, clientId: null, userId: null, address: null, requestId: null }
const actors = ['user', 'client', 'operator', 'system', 'anonymous'] as const

/** Each type, with all that an event may have and with nothing, by each kind of actor. */
const events = [...Object.keys(eventRules), 'audit_stream.test', 'of.another_version'].flatMap(
  (type, at) => [
    ocsfOf(eventOf(type)),
    ocsfOf(eventOf(type, { actor: { kind: actors[at % 5] ?? 'user', id: 'one' } })),
    ocsfOf(
      eventOf(type, { ...bare, actor: { kind: actors[at % 5] ?? 'user', id: null }, detail: {} }),
    ),
  ],
)

t.test('an event has the class and the activity of its type', async (t) => {
  t.same(Object.keys(ocsfTypes).sort(), Object.keys(eventRules).sort())
  t.match(ocsfOf(eventOf('session.signed_in')), {
    ...{ class_uid: 3002, category_uid: 3, activity_id: 1, type_uid: 300201, status_id: 1 },
    ...{
      time: 1767323045678,
      severity_id: 1,
      user: { uid: 'usr2' },
      src_endpoint: { ip: '192.0.2.7' },
    },
    ...{ actor: { user: { uid: 'usr1' } }, unmapped: { organization_id: 'org1' } },
    metadata: { uid: '17', version: '1.5.0', tenant_uid: 'org1', correlation_uid: 'req1' },
  })
  t.match(ocsfOf(eventOf('key_set.created')), { entity: { name: 'key_set', uid: 'kst1' } })
  t.match(ocsfOf(eventOf('token.refused')), { status_id: 2, api: { operation: 'token.refused' } })
})

const check = `
import json, sys
from jsonschema import Draft202012Validator
from ocsf_json_schema import OcsfJsonSchemaEmbedded, get_ocsf_schema
schemas = OcsfJsonSchemaEmbedded(get_ocsf_schema(version='1.5.0'))
known = {}
faults = []
for event in json.load(sys.stdin):
    uid = event['class_uid']
    if uid not in known:
        name = schemas.lookup_class_name_from_uid(class_uid=uid)
        known[uid] = Draft202012Validator(schemas.get_class_schema(class_name=name, profiles=[]))
    for fault in known[uid].iter_errors(event):
        faults.append(event['message'] + ': ' + fault.message[:200])
print(json.dumps(faults))
`

const python = process.env.LATCHKEY_TEST_PYTHON ?? 'python3'
const isThere =
  spawnSync(python, ['-c', 'import ocsf_json_schema, jsonschema']).status === 0
    ? false
    : 'NOT TESTED: the Python packages ocsf-json-schema and jsonschema are not installed'

t.test('the schemas of OCSF accept each type of event', { skip: isThere }, async (t) => {
  const run = spawnSync(python, ['-c', check], { input: JSON.stringify(events), encoding: 'utf8' })
  t.equal(run.status, 0, run.stderr)
  t.same(JSON.parse(run.stdout), [])
})
