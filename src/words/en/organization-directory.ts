/** English: the directory of apps. */
import { phraseOf } from '../message.ts'

export const organizationDirectory = {
  directory: {
    title: 'Apps you can install',
    heading: phraseOf('Apps you can install in {organization}', 'organization'),
    lead: 'Chosen by the operator of this service.',
    memberLead: 'Chosen by the operator of this service. An admin decides about each.',
    installedApps: 'Installed apps',
    find: 'App',
    findSubmit: 'Find',
    findAll: 'Show all',
    nothingFoundHeading: 'No app found',
    nothingFound: phraseOf('No app here has “{name}” in its name.', 'name'),
    emptyHeading: 'No app is listed',
    empty: 'The operator has not listed any app yet. You can install an app from the app itself.',
    by: phraseOf('by {publisher}', 'publisher'),
    site: 'Website',
    install: 'Install',
    request: 'Ask an admin',
    requested: 'You asked for it',
    see: 'See your request',
    installed: 'Installed',
    suspended: 'Suspended',
  },
}
