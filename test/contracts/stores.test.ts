import t from 'tap'
import { testStores } from '../support/stores.ts'
import { backendOf } from './backends.ts'
import { familyContract } from './families.ts'
import { counterContract, recordContract } from './records.ts'
import { unsettledContract } from './unsettled.ts'

for (const stores of await testStores()) {
  const backend = await backendOf(stores)
  t.teardown(() => stores.drop())
  t.test(`families in ${backend.name}`, (t) => familyContract(t, backend))
  t.test(`unsettled requests in ${backend.name}`, (t) => unsettledContract(t, backend))
  t.test(`records in ${backend.name}`, (t) => recordContract(t, backend))
  t.test(`counters in ${backend.name}`, (t) => counterContract(t, backend))
}
