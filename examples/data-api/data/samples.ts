import type { NewTable } from './tables.ts'
import type { Value } from './values.ts'

/** A sample table. */
export interface Sample {
  table: NewTable
  /** Values in the order of the fields. */
  rows: readonly (readonly Value[])[]
}

/** For the legacy interface. */
export const customers: Sample = {
  table: {
    name: 'Customers',
    description: 'Who buys from us, or may.',
    color: '#2f6fde',
    fields: [
      { name: 'Name', type: 'string', required: true },
      { name: 'Employees', type: 'number' },
      { name: 'Status', type: 'enum', restrict: ['Open', 'Won', 'Lost'] },
    ],
  },
  rows: [
    [{ val: 'Northwind' }, { val: 120 }, { val: 'Won' }],
    [{ val: 'Soylent' }, { val: 87 }, { val: 'Open' }],
    [{ val: 'Umbrella' }, { val: 2400 }, { val: 'Lost' }],
  ],
}

/** For each workspace. */
export const tasks: Sample = {
  table: {
    name: 'Tasks',
    fields: [
      { name: 'Title', type: 'string', required: true },
      { name: 'Due', type: 'date' },
      { name: 'State', type: 'enum', restrict: ['To do', 'Doing', 'Done'] },
      { name: 'Budget', type: 'currency' },
    ],
  },
  rows: [
    [
      { val: 'Renewal for Northwind' },
      { val: '2026-11-30' },
      { val: 'Doing' },
      { val: 18_000, currency: 'EUR' },
    ],
    [
      { val: 'First call with Soylent' },
      { val: '2026-12-04' },
      { val: 'To do' },
      { val: 500, currency: 'EUR' },
    ],
    [
      { val: 'Offer for Umbrella' },
      { val: '2026-10-16' },
      { val: 'Done' },
      { val: 42_500, currency: 'USD' },
    ],
  ],
}
