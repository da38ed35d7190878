import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  deletedApp: 'eine gelöschte App',
  deletedOrganization: 'eine gelöschte Organisation',
  deletedKeySet: 'ein gelöschter Schlüsselsatz',
  'facts.time': 'Zeitpunkt',
  'facts.device': 'Gerät',
  'facts.unknownDevice': 'Unbekannt',
  'facts.address': 'IP-Adresse',
  'facts.ends': 'Endet',
  'requested.subject':
    '{organization}: {person, select, none {Ein Mitglied} other {{person}}} bittet um {app}',
  'requested.lead':
    '{person, select, none {Ein Mitglied von {organization} möchte {app} verwenden.} other {{person} möchte {app} in {organization} verwenden.}}',
  'requested.action': 'Entscheiden',
  'waiting.subject':
    '{organization}: {person, select, none {Ein Mitglied} other {{person}}} wartet noch auf {app}',
  'waiting.lead':
    '{person, select, none {Ein Mitglied von {organization}} other {{person}}} hat vor drei Tagen um {app} gebeten und noch keine Antwort.',
  'waiting.action': 'Entscheiden',
  'approved.subject': 'Ihre Anfrage nach {app} in {organization} wurde genehmigt',
  'approved.lead':
    'Ein Admin von {organization} hat Ihre Anfrage genehmigt. Sie können {app} jetzt verwenden.',
  'approved.action': 'Ihre verbundenen Apps',
  'refused.subject': 'Ihre Anfrage nach {app} in {organization} wurde abgelehnt',
  'refused.lead': 'Ein Admin von {organization} hat Ihre Anfrage nach {app} abgelehnt.',
  'refused.action': 'Ihre verbundenen Apps',
  'unanswered.subject': 'Keine Antwort auf Ihre Anfrage nach {app} in {organization}',
  'unanswered.lead':
    'Die Admins von {organization} haben Ihre Anfrage nach {app} nicht rechtzeitig beantwortet. Sie können in der App noch einmal fragen.',
  'unanswered.action': 'Ihre verbundenen Apps',
  'asksForMore.subject': '{app} verlangt in {organization} mehr',
  'asksForMore.lead':
    '{app} verlangt Berechtigungen, die in {organization} noch nicht genehmigt sind. Bis zu Ihrer Entscheidung gilt keine davon.',
  'asksForMore.action': 'Entscheiden',
  'unused.subject': '{app} wird in {organization} seit 90 Tagen nicht verwendet',
  'unused.lead': 'Wenn {organization} die App {app} nicht mehr braucht, deinstallieren Sie sie.',
  'unused.action': 'App ansehen',
  'secretEnds.subject': 'Ein Secret von {app} läuft am {day} ab',
  'secretEnds.lead':
    'Ab {day} schlagen Anfragen mit diesem Secret fehl. Prüfen Sie, ob jeder Server von {app} ein neueres verwendet.',
  'secretEnds.action': 'Secrets ansehen',
  'keyEnds.subject': '{organization}: Ein Secret von {keySet} läuft am {day} ab',
  'keyEnds.lead':
    'Ab {day} schlagen Anfragen mit diesem Secret fehl. Prüfen Sie, ob jedes Programm mit {keySet} ein neueres verwendet.',
  'keyEnds.action': 'Schlüsselsätze ansehen',
  'webhookOff.subject': 'Ein Webhook von {app} ist deaktiviert',
  'webhookOff.lead':
    'Seinen Endpunkt gibt es nicht mehr, oder er hat tagelang keine Nachrichten angenommen. Er erhält keine Ereignisse von {app} mehr, bis er wieder aktiviert wird.',
  'webhookOff.action': 'App ansehen',
  'webhookFailed.subject': 'Webhook-Nachrichten von {app} wurden nicht zugestellt',
  'webhookFailed.lead':
    'Ein Endpunkt von {app} hat sie tagelang nicht angenommen. Diese Nachrichten werden nicht noch einmal gesendet.',
  'webhookFailed.action': 'App ansehen',
  'refusals.subject': 'Viel mehr Anfragen von {app} werden abgelehnt',
  'refusals.lead':
    'Heute abgelehnt: {count}. An einem gewöhnlichen Tag werden weit weniger Anfragen von {app} abgelehnt.',
  'refusals.action': 'App ansehen',
  'reuse.subject': 'Ein Token von {app} wurde in {organization} zweimal verwendet',
  'reuse.lead':
    'Eine Kopie eines Tokens ist vielleicht in falschen Händen. Deshalb haben wir diese Verbindung von {app} beendet. Die betroffene Person kann die App neu verbinden.',
  'reuse.action': 'Aktivität ansehen',
  'connected.subject': '{app} kann jetzt in Ihrem Namen handeln',
  'connected.lead':
    'Sie haben {app} in {organization} verbunden. Wenn Sie das nicht waren, trennen Sie die App und ändern Sie Ihr Passwort.',
  'connected.action': 'Ihre verbundenen Apps',
  'disconnected.subject': '{app} kann nicht mehr in Ihrem Namen handeln',
  'disconnected.lead': 'Ein Admin von {organization} hat {app} getrennt.',
  'disconnected.action': 'Ihre verbundenen Apps',
  'passkey.subject': 'Ein Passkey wurde zu Ihrem Konto hinzugefügt',
  'passkey.lead':
    'Wenn Sie das nicht waren, entfernen Sie den Passkey und ändern Sie Ihr Passwort.',
  'passkey.action': 'Ihre Passkeys',
  'passwordChanged.subject': 'Ihr Passwort wurde geändert',
  'passwordChanged.lead':
    'Ihre bisherigen Sitzungen und verbundenen Apps sind beendet. Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest.',
  'passwordChanged.action': 'Neues Passwort festlegen',
  'newPlace.subject': 'Neue Anmeldung bei Ihrem Konto',
  'newPlace.lead':
    'Ihr Konto wurde auf einem neuen Gerät oder in einem neuen Netzwerk verwendet. Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, beenden Sie die Sitzung und ändern Sie Ihr Passwort.',
  'newPlace.action': 'Ihre Sitzungen',
  'forgotten.subject': 'Neues Passwort festlegen',
  'forgotten.lead':
    'Der Link gilt einmal, bis {time}. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
  'forgotten.action': 'Neues Passwort festlegen',
  'invited.subject': 'Ihr Konto bei {brand}',
  'invited.lead':
    'Sie haben jetzt ein Konto bei {brand}. Legen Sie ein Passwort fest, um sich anzumelden. Der Link gilt einmal, bis {time}.',
  'invited.action': 'Passwort festlegen',
  'digest.subject': 'Neues zu Ihren Apps',
  'digest.lead': 'Diese E-Mails waren gleichzeitig fällig:',
  'digest.action': 'Startseite',
  'why.security':
    'In dieser E-Mail geht es um die Sicherheit Ihres Kontos oder Ihrer Organisation. Sie lässt sich nicht abbestellen.',
  'why.account':
    'Ist der Link abgelaufen? Einen neuen erhalten Sie auf der Anmeldeseite oder von der Administration.',
  'why.other': 'Sie erhalten diese E-Mail wegen Ihrer Rolle in einer Organisation oder App.',
  choose: 'Wählen, welche E-Mails Sie erhalten',
  unsubscribe: 'Keine solchen E-Mails mehr erhalten',
}
