/** English: who may bring apps from the web. */
export const operatorHosts = {
  heading: 'Apps from the web',
  lead: 'Who may bring an app that you have not reviewed.',
  submit: 'Save',
  pathPrefix: 'Only documents in this path',
  pathPrefixHint:
    'Such as /apps. Leave it empty for all documents of the host. Others wait for your approval.',
  limit: 'The most apps of this host',
  limitHint: 'Documents beyond wait for your approval.',
  ceiling: 'The most that these apps may have',
  ceilingHint:
    'If you take away a permission, the apps that came in by themselves lose it at once.',
  accessTokenSeconds: 'Seconds until an access token expires',
  accessTokenSecondsHint: 'Leave it empty for the usual time.',
  retryWindowSeconds: 'Seconds in which a refresh token may be sent again',
  retryWindowSecondsHint: 'Between 0 and 60. Leave it empty for 0.',
  expiresDays: 'Days after which new installs end',
  expiresDaysHint:
    'Leave it empty if only the organization decides. If both say something, the nearer day counts.',
  removeHeading: 'Remove this host',
  removeLead: 'Its unknown apps are refused then. Registered apps stay.',
  removeSubmit: 'Remove',
}
