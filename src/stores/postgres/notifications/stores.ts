import type { Database } from '../connection/database.ts'
import { createMailChoiceStore, createPasswordRequestStore } from './mail-choices.ts'
import { createMailOutbox } from './mail-outbox.ts'
import { createReminderStore } from './reminders.ts'

export const notificationStores = (database: Database) => ({
  mailChoices: createMailChoiceStore(database),
  mailOutbox: createMailOutbox(database),
  passwordRequests: createPasswordRequestStore(database),
  reminders: createReminderStore(database),
})
