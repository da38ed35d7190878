import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const errors: Catalogue<typeof areas.errors> = {
  'error.reference': 'Referenz',
  'error.forDevelopers': 'Für die Entwicklung der App',
  'error.code': 'Fehler',
  'error.description': 'Beschreibung',
  'error.explained': 'Was jeder Fehler bedeutet',
  'error.home': 'Startseite',
  'error.signIn': 'Anmelden',
  'error.tryAgain': 'Noch einmal versuchen',
  'error.loadAgain': 'Seite neu laden',
  'error.request.heading': 'Diese App hat eine ungültige Anfrage gesendet',
  'error.request.message':
    'Der Link der App ist unvollständig oder falsch. Es wurde nichts geteilt.',
  'error.request.move':
    'Nur wer die App entwickelt, kann das korrigieren. Geben Sie die Referenz unten weiter.',
  'error.unknownApp.heading': 'Diese App ist hier unbekannt',
  'error.unknownApp.message':
    'Die App-ID in der Anfrage ist nicht registriert. Es wurde nichts geteilt.',
  'error.unknownApp.move':
    'Gehen Sie zurück zur App und melden Sie das deren Entwicklern, mit der Referenz unten.',
  'error.unreviewedApp.heading': 'Diese App wurde hier nicht geprüft',
  'error.unreviewedApp.message':
    'Die App ist bei diesem Dienst nicht registriert. Es wurde nichts geteilt.',
  'error.unreviewedApp.move':
    'Bitten Sie einen Admin Ihrer Organisation oder den Betreiber dieses Dienstes, die App zuzulassen. Nennen Sie die Referenz unten.',
  'error.waitingApp.heading': 'Diese App wartet auf eine Prüfung',
  'error.waitingApp.message':
    'Der Betreiber dieses Dienstes muss die App zuerst prüfen. Es wurde nichts geteilt.',
  'error.waitingApp.move':
    'Versuchen Sie es später noch einmal. Wenn es eilt, fragen Sie den Betreiber dieses Dienstes, mit der Referenz unten.',
  'error.unreadableApp.heading': 'Wir konnten die Beschreibung dieser App nicht lesen',
  'error.unreadableApp.message':
    'Was die App über sich veröffentlicht, fehlt oder verstößt gegen eine Regel. Es wurde nichts geteilt.',
  'error.unreadableApp.move':
    'Versuchen Sie es später noch einmal. Wenn es wieder geschieht, melden Sie das den Entwicklern der App, mit der Referenz unten.',
  'error.redirectUri.heading': 'Diese App will Sie zu einer nicht registrierten Adresse leiten',
  'error.redirectUri.message':
    'Zum Schutz Ihres Kontos haben wir hier angehalten. Es wurde nichts geteilt.',
  'error.redirectUri.move':
    'Die Entwickler der App müssen die Adresse registrieren oder den Link korrigieren.',
  'error.redirectUriOnDevice.heading':
    'Dieses Programm kehrt zu einer nicht registrierten Adresse zurück',
  'error.redirectUriOnDevice.message':
    'Ein Programm auf diesem Computer bittet um Zugriff, aber seine Adresse ist nicht registriert. Es wurde nichts geteilt.',
  'error.redirectUriOnDevice.move':
    'Bitten Sie den Betreiber, sie für diese App zu registrieren: http://localhost oder http://127.0.0.1, wie das Programm es schreibt, mit demselben Pfad. Eine App ohne Secret darf dann jeden Port verwenden.',
  'error.installLink.heading': 'Dieser Installationslink ist unvollständig',
  'error.installLink.message': 'Es wurde nichts installiert oder geteilt.',
  'error.installLink.move':
    'Gehen Sie zurück zur App und beginnen Sie von vorn. Wenn es zweimal geschieht, senden Sie den Entwicklern der App die Referenz unten.',
  'error.installLinkPermissions.heading':
    'Dieser Installationslink verlangt unbekannte Berechtigungen',
  'error.installLinkPermissions.message':
    'Die App ist für eine Berechtigung im Link nicht registriert. Es wurde nichts installiert.',
  'error.installLinkPermissions.move':
    'Melden Sie das den Entwicklern der App, mit der Referenz unten.',
  'error.otherOrganization': 'Andere Organisation wählen',
  'error.suspended.heading': 'Diese App ist hier gesperrt',
  'error.suspended.message':
    'Ein Admin der Organisation hat die App gesperrt. Sie erhält zurzeit keinen Zugriff.',
  'error.suspended.move': 'Fragen Sie einen Admin der Organisation.',
  'error.appsClosed.heading': 'Diese App ist nicht installiert',
  'error.appsClosed.message':
    'Mitglieder dieser Organisation können nur installierte Apps verbinden.',
  'error.appsClosed.move': 'Ein Admin der Organisation kann die App installieren.',
  'error.outOfReach.heading': 'Sie können dieser App nicht geben, was sie verlangt',
  'error.outOfReach.message':
    'Sie verlangt einen Workspace, in dem Sie nicht Mitglied sind oder der für sie nicht genehmigt ist, oder eine API, die es für diese Organisation nicht gibt. Es wurde nichts geteilt, und der Code gilt weiterhin.',
  'error.outOfReach.move':
    'Eine Person mit Zugriff darauf kann den Code eingeben. Oder verwenden Sie ein anderes Konto.',
  'error.expired.heading': 'Das hat zu lange gedauert',
  'error.expired.message': 'Die Anfrage der App ist abgelaufen oder wurde schon beantwortet.',
  'error.expired.move': 'Gehen Sie zurück zur App und beginnen Sie dort von vorn.',
  'error.answered.heading': 'Sie haben das schon beantwortet',
  'error.answered.message': 'Ihre erste Antwort gilt. Es wurde nichts geändert.',
  'error.answered.move': 'Wenn Sie nicht zur App zurückgekehrt sind, fahren Sie hier fort.',
  'error.answered.goOn': 'Weiter',
  'error.form.heading': 'Dieses Formular konnte nicht angenommen werden',
  'error.form.message':
    'Ihre Anmeldung ist seit dem Laden der Seite beendet oder geändert worden, oder das Formular kam von einer anderen Website. Es wurde nichts geändert.',
  'error.form.move': 'Laden Sie die Seite neu und wiederholen Sie den Schritt.',
  'error.notFound.heading': 'Seite nicht gefunden',
  'error.notFound.message': 'Die Seite gibt es nicht, oder Sie dürfen sie nicht sehen.',
  'error.notFound.move': 'Prüfen Sie die Adresse oder verwenden Sie ein anderes Konto.',
  'error.wrongMethod.heading': 'Diese Seite nimmt die Anfrage nicht an',
  'error.wrongMethod.message':
    'Die Seite gibt es, aber sie nimmt diese Art von Anfrage nicht an. Es wurde nichts geändert.',
  'error.wrongMethod.move': 'Öffnen Sie die Seite über ihren Link oder ihr Formular.',
  'error.noDocument.heading': 'Seite nicht gefunden',
  'error.noDocument.message': 'Unter dieser Adresse hat die Dokumentation keine Seite.',
  'error.noDocument.move':
    'Vielleicht hat sie einen neuen Namen. Die erste Seite verlinkt auf alle anderen.',
  'error.noDocument.start': 'Dokumentation',
  'error.tooMany.heading': 'Zu viele Versuche',
  'error.tooMany.message':
    'Sie haben in kurzer Zeit zu viele Anfragen gesendet. Es wurde nichts geändert.',
  'error.tooMany.move':
    'Versuchen Sie es in {minutes, plural, one {einer Minute} other {# Minuten}} noch einmal.',
  'error.tooManyHere.heading': 'Zu viele Anfragen aus Ihrem Netzwerk',
  'error.tooManyHere.message':
    'Zu viele Zugriffsanfragen aus Ihrem Netzwerk warten auf eine Antwort.',
  'error.tooManyHere.move':
    'Melden Sie sich zuerst an und beginnen Sie dann in der App von vorn. So zählen nur Ihre eigenen Anfragen. Oder warten Sie {minutes, plural, one {eine Minute} other {# Minuten}}.',
  'error.unavailable.heading': 'Wir können gerade nicht antworten',
  'error.unavailable.message':
    'Ein Teil dieses Dienstes ist nicht verfügbar. Es wurde nichts geändert.',
  'error.unavailable.move': 'Wir müssen das beheben. Versuchen Sie es in einer Minute noch einmal.',
  'error.server.heading': 'Bei uns ist etwas schiefgegangen',
  'error.server.message': 'Der Schritt wurde nicht abgeschlossen.',
  'error.server.move':
    'Versuchen Sie es noch einmal. Wenn es zweimal geschieht, senden Sie uns die Referenz unten.',
}
