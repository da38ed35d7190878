import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const signIn: Catalogue<typeof areas.signIn> = {
  'signIn.heading': 'Anmelden',
  'signIn.continueTo': 'weiter zu {app}',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.showPassword': 'Zeichen anzeigen',
  'signIn.submit': 'Anmelden',
  'signIn.help':
    'Kein Konto oder Probleme bei der Anmeldung? Die Administration Ihrer Organisation hilft Ihnen weiter.',
  'signIn.wrong': 'Anmeldung fehlgeschlagen. Prüfen Sie E-Mail-Adresse und Passwort.',
  'signIn.incomplete': 'Geben Sie E-Mail-Adresse und Passwort ein.',
  'signIn.again': 'Bitte melden Sie sich noch einmal an, damit wir wissen, dass Sie es sind.',
  'signIn.or': 'oder',
  'signIn.provider': 'Mit Ihrem Firmenkonto anmelden',
  'signIn.passkey': 'Passkey verwenden',
  'signIn.passkeyFailed':
    'Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder auf anderem Weg.',
  'signIn.passkeyCancelled':
    'Es wurde kein Passkey verwendet. Sie können es noch einmal versuchen.',
  'signIn.providerOnly':
    'Die Anmeldung mit Passwort ist deaktiviert. Verwenden Sie die Schaltfläche.',
  'signIn.providerAway':
    'Der Anmeldedienst antwortet nicht. Versuchen Sie es in einer Minute noch einmal.',
  'signIn.providerDenied':
    'Sie haben beim Anmeldedienst abgebrochen, oder er hat die Anmeldung abgelehnt.',
  'signIn.providerNotFresh':
    'Sie müssen sich neu anmelden, aber der Anmeldedienst hat Sie nicht dazu aufgefordert. Melden Sie sich dort zuerst ab und versuchen Sie es dann noch einmal.',
  'signIn.providerRefused':
    'Der Anmeldedienst hat eine ungültige Antwort gesendet. Beginnen Sie von vorn.',
  'signIn.providerUnknown':
    'Diese Anmeldung hat zu lange gedauert, wurde schon verwendet oder in einem anderen Browser begonnen. Beginnen Sie von vorn.',
  'signIn.tooMany':
    'Zu viele Versuche. Versuchen Sie es in {minutes, plural, one {einer Minute} other {# Minuten}} noch einmal.',
  'refusals.disabled.heading': 'Ihr Konto ist hier deaktiviert',
  'refusals.disabled.message':
    'Der Anmeldedienst kennt Sie, aber dieses Konto darf sich nicht anmelden.',
  'refusals.disabled.move':
    'Nur die Administration kann es wieder aktivieren. Nennen Sie ihr die Referenz unten.',
  'refusals.email_missing.heading': 'Ihre E-Mail-Adresse fehlt',
  'refusals.email_missing.message':
    'Der Anmeldedienst hat sie nicht gesendet, ein Konto braucht aber eine.',
  'refusals.email_missing.move':
    'Die Administration muss dem Anmeldedienst erlauben, sie zu senden.',
  'refusals.email_unverified.heading': 'Ihre E-Mail-Adresse ist noch nicht bestätigt',
  'refusals.email_unverified.message':
    'Der Anmeldedienst hat nicht geprüft, ob die Adresse Ihnen gehört.',
  'refusals.email_unverified.move':
    'Bestätigen Sie sie dort und melden Sie sich dann hier noch einmal an.',
  'refusals.email_taken.heading': 'Ihre E-Mail-Adresse gehört hier zu einem anderen Konto',
  'refusals.email_taken.message':
    'Wir führen Konten nur zusammen, wenn beide sicher Ihnen gehören. Deshalb wurde nichts geändert.',
  'refusals.email_taken.move':
    'Die Administration kann das klären. Nennen Sie ihr die Referenz unten.',
  'confirm.heading': 'Passkey verwenden, um fortzufahren',
  'confirm.lead': 'Für diese Seite genügt ein Passwort nicht.',
  'confirm.use': 'Passkey verwenden',
  'confirm.noneHeading': 'Passkey hinzufügen, um fortzufahren',
  'confirm.none':
    'Sie haben noch keinen Passkey. Das dauert nur einen Moment: Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN.',
  'confirm.add': 'Passkey hinzufügen',
  'confirm.elsewhere':
    'Der Passkey ist auf einem anderen Gerät oder verloren? Die Administration dieses Servers kann helfen.',
  'confirm.deny': 'Nicht installieren',
  'confirm.home': 'Startseite',
  'signOut.heading': 'Abmelden?',
  'signOut.lead':
    'Verbundene Apps funktionieren weiter. Sie können sie unter „Verbundene Apps“ trennen.',
  'signOut.submit': 'Abmelden',
  'signOut.stay': 'Angemeldet bleiben',
  'endSession.heading': 'Abmelden?',
  'endSession.lead': '{app} möchte Sie auch bei {brand} abmelden.',
  'endSession.anonymous': 'Eine andere Website möchte Sie bei {brand} abmelden.',
  'endSession.who': 'Sie sind angemeldet als {name}, {email}.',
  'endSession.submit': 'Abmelden',
  'endSession.stay': 'Angemeldet bleiben',
  'signedOut.heading': 'Sie sind abgemeldet',
  'signedOut.lead': 'Schließen Sie an einem gemeinsam genutzten Computer auch das Browserfenster.',
  'signedOut.signIn': 'Wieder anmelden',
  'signedOut.provider':
    'Beim Anmeldedienst sind Sie vielleicht noch angemeldet. Die nächste Person an diesem Browser könnte sich dann ohne Passwort wieder anmelden.',
  'signedOut.signOutThere': 'Auch dort abmelden',
}
