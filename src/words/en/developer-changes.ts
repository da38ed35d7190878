/** English: changes of an app by its owners, and their requests to the operator. */
import { message, phraseOf } from '../message.ts'

export const developerChanges = {
  link: 'Change the app',
  title: 'Change the app',
  heading: phraseOf('Change {app}', 'app'),
  lead: 'New redirect URIs, new permissions and another client type need the approval of the operator. The rest changes at once.',
  leadReviewed:
    'The operator has reviewed this app, so what people see of it changes only with an approval. Keys change at once.',
  document: 'The settings of this app come from the document at its address. Change the document.',
  documentRefused: 'The operator has refused the last change of the document.',
  fields: {
    name: 'Name',
    description: 'Description',
    homepageUri: 'Website',
    logoUri: 'Address of the logo',
    uploadedLogo: 'Logo from your computer',
    policyUri: 'Address of the privacy policy',
    tosUri: 'Address of the terms of service',
    clientType: 'Client type',
    redirectUris: 'Redirect URIs',
    permissions: 'Permissions that it may request',
    optionalPermissions: 'Permissions that it can do without',
    permissionReasons: 'Why it needs them',
    jwks: 'Public keys (JWKS)',
    jwksUri: 'Address of the public keys (jwks_uri)',
  },
  requirements: {
    needs: 'Can it do without some of these permissions?',
    needsHint:
      'What it needs is locked where people decide: without it the app is not installed. An app that says so is never half allowed.',
    nothing: 'It works with whatever people allow',
    some: 'It needs all of them except these',
    reasons: 'Why does it need them?',
    reasonsHint:
      'A line for each permission, such as “records:create: It files each letter as a record.” People read it beside the box. For one language: “records:create (de): …”.',
    reasonsFault: 'Write each line as a permission, a colon and a sentence.',
  },
  typeWarning: 'Another client type deletes all secrets and keys, and ends all tokens of the app.',
  uploadedLogoHint:
    'PNG, JPEG or WebP, at most 1 MiB. It takes the place of an address, and an address that you give later takes its place.',
  redirectUrisHint: 'One on each line. The first one is the default.',
  keysHint: 'For private_key_jwt. Give the keys or their address, not both.',
  reason: 'Why?',
  reasonHint: 'For the operator, if the change needs an approval.',
  submit: 'Save',
  faults: {
    clientType: 'This app cannot have this client type.',
    other: 'This change breaks a rule for apps. Check the settings.',
  },
  waits:
    'Another request for this app waits, so this one was not sent. Withdraw the other one first.',
  done: {
    changed: 'Saved.',
    unchanged: 'Nothing was different, so nothing was saved.',
    requested: 'You asked the operator. Nothing changes until the operator approves.',
    withdrawn: 'The request is withdrawn.',
    decided: 'The operator has decided this request already.',
  },
  waiting: 'Waits for the operator',
  history: 'Decisions of the operator',
  asked: phraseOf('{person} asked for this', 'person'),
  you: 'You asked for this',
  formerUser: 'A deleted user',
  approved: 'Approved',
  refused: 'Refused',
  note: phraseOf('The operator says: {note}', 'note'),
  taken: 'Until now',
  given: 'New',
  keyCount: message('{count, plural, one {# key} other {# keys}}', 'count'),
  withdraw: 'Withdraw the request',
}
