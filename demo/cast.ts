// The demo: `npm run demo`. command.ts reads the command line, cast.ts defines the sample data, seed.ts puts it into a
// server, demo.ts starts everything, and client/ is an app to try out.

/** The password of all demo users. */
export const password = 'open-sesame-demo'

export interface Person {
  email: string
  name: string
  /** A description of the user. */
  part: string
}

export const people = {
  ana: { email: 'ana@acme.test', name: 'Ana Sousa', part: 'member of Acme' },
  kim: { email: 'kim@acme.test', name: 'Kim Okafor', part: 'admin of Acme and of Globex' },
  lee: {
    email: 'lee@globex.test',
    name: 'Lee Novak',
    part: 'member of Globex, which has no app yet',
  },
  olga: {
    email: 'olga@platform.test',
    name: 'Olga Orlova',
    part: 'operator of the platform: the console is under /operator',
  },
} as const satisfies Record<string, Person>

export type PersonKey = keyof typeof people

interface Workplace {
  name: string
  /** Members of the workspace. */
  members: readonly PersonKey[]
}

interface Tenant {
  name: string
  members: Readonly<Partial<Record<PersonKey, 'admin' | 'member'>>>
  workspaces: readonly Workplace[]
}

export const organizations = {
  acme: {
    name: 'Acme',
    members: { ana: 'member', kim: 'admin' },
    workspaces: [
      { name: 'Sales', members: ['ana', 'kim'] },
      { name: 'Support', members: ['ana', 'kim'] },
      { name: 'Finance', members: ['kim'] },
      { name: 'Operations', members: ['kim'] },
      { name: 'Research', members: ['ana'] },
    ],
  },
  globex: {
    name: 'Globex',
    members: { kim: 'admin', lee: 'member' },
    workspaces: [
      { name: 'Warehouse', members: ['kim', 'lee'] },
      { name: 'Laboratory', members: ['kim', 'lee'] },
    ],
  },
} as const satisfies Record<string, Tenant>

/** The place of an app: the demo client, a frame on another site, or one of the examples. */
export type Home = 'client' | 'frames' | 'webApp' | 'singlePageApp' | 'dataApi'

export interface PlayedApp {
  name: string
  description: string
  interface: 'current' | 'legacy'
  client_type: 'confidential' | 'public'
  home: Home
  /** Its redirect URI: a path at its home, or a full address. */
  callback: string
  /** The path at its home to which the browser goes after a sign-out. */
  signedOut?: string
  /** An installation from a link returns to its redirect URI. */
  setUpByLink?: true
  openid?: true
  device_flow?: true
  permissions: readonly string[]
  /** The legacy app whose successor it is, and the permissions for those of the legacy app. */
  succeeds?: { app: string; permissions: Readonly<Record<string, readonly string[]>> }
  /** The approval of Acme. Workspaces by name; null for all. */
  approved: { permissions: readonly string[]; workspaces: readonly string[] | null }
}

const everyPermission = {
  current: [
    'records:create',
    'records:update',
    'records:delete',
    'workspace_members:read',
    'teams:read',
    'documents:read',
    'table:create',
    'table:modify',
    'rootTable:create',
  ],
  legacy: ['readData', 'insertData', 'updateData', 'deleteData', 'addFields', 'readMembers'],
}

/** The path of the demo client that shows the code for the samples of the documentation. */
export const samplesCallback = '/callback/samples'

export const apps = {
  reportBuilder: {
    name: 'Report Builder',
    description: 'Writes a weekly report from your records.',
    interface: 'current',
    client_type: 'confidential',
    home: 'client',
    callback: '/callback/report-builder',
    permissions: [
      'records:create',
      'records:update',
      'records:delete',
      'workspace_members:read',
      'documents:read',
    ],
    approved: {
      permissions: ['records:create', 'records:update', 'records:delete', 'workspace_members:read'],
      workspaces: ['Sales', 'Support', 'Finance', 'Operations'],
    },
  },
  pocketTables: {
    name: 'Pocket Tables',
    description: 'Your tables on a small screen; it runs in the browser alone.',
    interface: 'current',
    client_type: 'public',
    home: 'client',
    callback: '/pocket-tables',
    permissions: ['records:create', 'records:update'],
    approved: { permissions: ['records:create', 'records:update'], workspaces: null },
  },
  sheetSync: {
    name: 'Sheet Sync',
    description: 'Copies rows to a spreadsheet every night.',
    interface: 'legacy',
    client_type: 'confidential',
    home: 'client',
    callback: '/callback/sheet-sync',
    permissions: ['readData', 'insertData', 'updateData', 'deleteData', 'readMembers'],
    approved: {
      permissions: ['readData', 'insertData', 'updateData', 'deleteData'],
      workspaces: null,
    },
  },
  sheetView: {
    name: 'Sheet View',
    description: 'Shows rows in a frame; it has no server to keep a secret on.',
    interface: 'legacy',
    client_type: 'public',
    home: 'client',
    callback: '/callback/sheet-view',
    permissions: ['readData'],
    approved: { permissions: ['readData'], workspaces: null },
  },
  recordCards: {
    name: 'Record Cards',
    description: 'Shows the records that are selected on the platform, as cards.',
    interface: 'current',
    client_type: 'public',
    home: 'frames',
    callback: '/record-cards',
    permissions: ['records:update'],
    approved: { permissions: ['records:update'], workspaces: null },
  },
  rowCounter: {
    name: 'Row Counter',
    description: 'Counts the rows that are selected on the platform.',
    interface: 'legacy',
    client_type: 'public',
    home: 'frames',
    callback: '/row-counter',
    permissions: ['readData'],
    approved: { permissions: ['readData'], workspaces: null },
  },
  playground: {
    name: 'Playground',
    description: 'Tries queries at the data API, which has this page.',
    interface: 'current',
    client_type: 'public',
    home: 'dataApi',
    callback: '/playground',
    permissions: everyPermission.current,
    approved: { permissions: everyPermission.current, workspaces: null },
  },
  legacyPlayground: {
    name: 'Playground (legacy)',
    description: 'Tries queries at the legacy interface of the data API.',
    interface: 'legacy',
    client_type: 'public',
    home: 'dataApi',
    callback: '/playground',
    permissions: everyPermission.legacy,
    approved: { permissions: everyPermission.legacy, workspaces: null },
  },
  webApp: {
    name: 'Example Web App',
    description: 'Shows your tasks, from a server of its own.',
    interface: 'current',
    client_type: 'confidential',
    home: 'webApp',
    callback: '/callback',
    signedOut: '/',
    openid: true,
    permissions: [],
    approved: { permissions: [], workspaces: null },
  },
  singlePageApp: {
    name: 'Example Single-Page App',
    description: 'Shows your tasks; it runs in the browser alone.',
    interface: 'current',
    client_type: 'public',
    home: 'singlePageApp',
    callback: '/',
    permissions: [],
    approved: { permissions: [], workspaces: null },
  },
  commandLine: {
    name: 'Example Command Line',
    description: 'Prints your tasks in a terminal.',
    interface: 'current',
    client_type: 'public',
    home: 'client',
    callback: 'http://127.0.0.1/callback',
    device_flow: true,
    permissions: [],
    approved: { permissions: [], workspaces: null },
  },
  assistant: {
    name: 'Example Assistant',
    description: 'An AI client that you connect to the MCP server of the demo.',
    interface: 'current',
    client_type: 'public',
    home: 'client',
    callback: 'http://localhost/callback',
    permissions: ['records:create', 'records:update'],
    approved: { permissions: ['records:create', 'records:update'], workspaces: null },
  },
  installTokenJob: {
    name: 'Example Job',
    description: 'Adds a task every week.',
    interface: 'current',
    client_type: 'confidential',
    home: 'client',
    callback: '/callback/example-job',
    permissions: ['records:create', 'records:update'],
    approved: {
      permissions: ['records:create', 'records:update'],
      workspaces: ['Sales', 'Support'],
    },
  },
  samples: {
    name: 'Documentation Samples',
    description: 'The samples of the documentation.',
    interface: 'current',
    client_type: 'confidential',
    home: 'client',
    callback: samplesCallback,
    signedOut: '/',
    setUpByLink: true,
    openid: true,
    permissions: ['records:create', 'records:update', 'workspace_members:read'],
    approved: {
      permissions: ['records:create', 'records:update', 'workspace_members:read'],
      workspaces: null,
    },
  },
  publicSamples: {
    name: 'Documentation Samples (public)',
    description: 'The samples for apps without a secret.',
    interface: 'current',
    client_type: 'public',
    home: 'client',
    callback: samplesCallback,
    device_flow: true,
    permissions: ['records:create', 'records:update'],
    approved: { permissions: ['records:create', 'records:update'], workspaces: null },
  },
  legacySamples: {
    name: 'Documentation Samples (legacy)',
    description: 'The samples of the legacy interface.',
    interface: 'legacy',
    client_type: 'confidential',
    home: 'client',
    callback: samplesCallback,
    permissions: ['readData', 'insertData'],
    approved: { permissions: ['readData', 'insertData'], workspaces: null },
  },
  successorSamples: {
    name: 'Documentation Samples (successor)',
    description: 'Continues with the grants of the legacy samples.',
    interface: 'current',
    client_type: 'confidential',
    home: 'client',
    callback: samplesCallback,
    permissions: ['records:create'],
    succeeds: { app: 'legacySamples', permissions: { insertData: ['records:create'] } },
    approved: { permissions: ['records:create'], workspaces: null },
  },
} as const satisfies Record<string, PlayedApp>

/** The key set of Acme for its own scripts. */
export const keySet = {
  name: 'Example Script',
  description: 'Reads the tasks of all workspaces.',
  interface: 'current',
  permissions: ['records:create'],
} as const

export type AppKey = keyof typeof apps
