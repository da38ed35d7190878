/** The permission catalogue as a process knows it that has not read a store: the built-in permissions alone. */
import { createPermissionCatalogue } from '../../src/core/clients/permission-catalogue.ts'
import { textIn } from '../../src/words/text.ts'

export const builtInCatalogue = createPermissionCatalogue({
  store: { readSince: async () => null },
  builtIn: textIn('en').permissions,
})
