import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled, unlessMissing, whereFound } from '../../../support/installed.ts'

/** A library from its Debian package, and the program that uses it. */
export interface Library {
  name: string
  command: [program: string, ...args: string[]]
  environment?: NodeJS.ProcessEnv
  missing: { skip?: string }
  /** Flows that the program can run. */
  flows: string[]
}

const both = [
  ...['code', 'code of a public app', 'legacy, in the header', 'legacy, in the body'],
  'after a move from another server',
]

/** Debian's packages need Debian's own Python, which may not be the first one in the PATH. */
const inPython = (name: string, module: string, flows: string[]): Library => {
  const has = (python: string) => isInstalled(python, '-c', `import ${module}`)
  const python = ['python3', '/usr/bin/python3'].find(has)
  return {
    name,
    command: [python ?? 'python3', `with-${name}.py`],
    environment: { PYTHONDONTWRITEBYTECODE: '1' },
    missing: unlessMissing(python !== undefined, `python3-${name}`),
    flows: [...both, 'the app itself', 'revocation', 'device', 'implicit', ...flows],
  }
}

/** Built once; its packages come from the repository of Maven. */
const hasSpring =
  isInstalled('mvn', '-version') &&
  isInstalled('mvn', '-q', '-f', join(import.meta.dirname, 'spring/pom.xml'), 'compile')

const goPath = '/usr/share/gocode'

export const libraries: Library[] = [
  inPython('authlib', 'authlib.integrations.requests_client', [
    'private_key_jwt',
    'OpenID Connect',
  ]),
  inPython('requests-oauthlib', 'requests_oauthlib', []),
  {
    name: 'oauth2',
    command: ['ruby', 'with-oauth2.rb'],
    missing: unlessMissing(isInstalled('ruby', '-e', 'require "oauth2"'), 'ruby-oauth2'),
    flows: [...both, 'the app itself'],
  },
  {
    name: 'x/oauth2',
    command: ['go', 'run', 'with-x-oauth2.go'],
    environment: { GO111MODULE: 'off', GOPATH: goPath },
    missing: whereFound(
      isInstalled('go', 'version') && existsSync(`${goPath}/src/golang.org/x/oauth2`),
      'Go with golang-golang-x-oauth2-dev',
    ),
    flows: [...both, 'the app itself'],
  },
  {
    name: 'Spring Security',
    command: ['sh', 'with-spring.sh'],
    missing: whereFound(hasSpring, 'Spring Security (mvn, and the repository of Maven)'),
    flows: ['after a move from another server'],
  },
  {
    name: 'Net::OAuth2',
    command: ['perl', 'with-net-oauth2.pl'],
    missing: unlessMissing(isInstalled('perl', '-MNet::OAuth2', '-e', '1'), 'libnet-oauth2-perl'),
    flows: both.filter((flow) => flow !== 'code of a public app'),
  },
]
