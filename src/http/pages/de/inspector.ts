import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  title: 'Token untersuchen',
  heading: 'Tokens von {organization}',
  lead: 'Sehen Sie, was ein Token ist, was es darf und warum es abgelehnt wird.',
  'form.heading': 'Was bedeutet dieses Token?',
  'form.label': 'Token',
  'form.hint':
    'Ein Access-Token, ein Refresh-Token, ein Code oder ein Secret eines Schlüsselsatzes. Es wird nicht gespeichert, nicht protokolliert und nicht verbraucht.',
  'form.submit': 'Erklären',
  'form.empty': 'Fügen Sie zuerst ein Token ein.',
  'verdict.accepted.access_token': 'Es wird zurzeit akzeptiert.',
  'verdict.accepted.self_signed': 'Es wird zurzeit akzeptiert.',
  'verdict.accepted.secret_key': 'Es wird zurzeit akzeptiert.',
  'verdict.accepted.refresh_token':
    'Es ist gültig: Die App kann es einmal gegen ein Access-Token tauschen.',
  'verdict.accepted.code': 'Er ist gültig: Die App kann ihn einmal gegen Tokens tauschen.',
  'verdict.refused': 'Es wird nicht akzeptiert.',
  'unknown.heading': 'Das ist kein Token dieser Organisation',
  'unknown.why':
    'Es gehört zu einer anderen Organisation, wurde nicht vollständig kopiert oder endete vor so langer Zeit, dass keine Aufzeichnung mehr besteht.',
  'unknown.move':
    'Kopieren Sie es noch einmal vollständig, ohne Anführungszeichen. Wenn es aus einer anderen Organisation kommt, kann ein Admin dort es untersuchen.',
  'signedOtherwise.heading': 'Das ist nicht mit einem Secret des Schlüsselsatzes signiert',
  'signedOtherwise.why':
    'Es gibt {keySet} als Herkunft an. Ohne gültige Signatur ist nichts darin vertrauenswürdig.',
  'signedOtherwise.move':
    'Signieren Sie mit HS256 und dem Text des Secrets, nicht dekodiert. Verwenden Sie kein Secret, das vor langer Zeit stillgelegt wurde.',
  'facts.kind': 'Was',
  'facts.hint': 'Endet auf',
  'facts.interface': 'Schnittstelle',
  'facts.app': 'App',
  'facts.keySet': 'Schlüsselsatz',
  'facts.actors': 'Durch',
  'facts.person': 'Für',
  'facts.itself': 'Sich selbst, keine Person',
  'facts.organization': 'Organisation',
  'facts.may': 'Es darf',
  'facts.might': 'Es dürfte',
  'facts.nothing': 'Nichts',
  'facts.issued': 'Ausgestellt',
  'facts.expires': 'Läuft ab',
  'facts.unknown': 'nicht bekannt',
  'facts.withoutEnd': 'kein eigenes Datum: endet mit seinem Secret oder seiner Autorisierung',
  'facts.key': 'An einen Schlüssel gebunden',
  'facts.keyNeeded': 'Es ist nur mit Nachweisen des Schlüssels mit diesem Thumbprint gültig:',
  'kinds.user': 'Access-Token einer App, für eine Person',
  'kinds.install': 'Access-Token einer App, für sich selbst',
  'kinds.refresh_token': 'Refresh-Token einer App, für eine Person',
  'kinds.code': 'Autorisierungscode einer App, für eine Person',
  'kinds.self_signed': 'Von einem Ihrer Programme signiertes Token',
  'kinds.secret_key': 'Secret eines Schlüsselsatzes',
  'interfaces.current': 'Aktuell',
  'interfaces.legacy': 'Alt',
  'reasons.actor_disabled.why':
    'Der Betreiber dieses Dienstes hat eine App deaktiviert, die durch diese handelt, oder ihre Tokens beendet.',
  'reasons.actor_disabled.move':
    'Fragen Sie den Betreiber. Sobald die App wieder aktiviert ist, erhält sie von selbst ein neues Token.',
  'reasons.actor_suspended.why': 'Ein Admin hat eine App gesperrt, die durch diese handelt.',
  'reasons.actor_suspended.move':
    'Entsperren Sie sie unter „Apps“. Das Token wird dann sofort wieder akzeptiert.',
  'reasons.actor_uninstalled.why': 'Eine App, die durch diese handelt, wurde deinstalliert.',
  'reasons.actor_uninstalled.move':
    'Installieren Sie sie wieder. Sie erhält dann von selbst ein neues Token.',
  'reasons.app_disabled.why':
    'Der Betreiber dieses Dienstes hat die App deaktiviert oder ihre Tokens beendet.',
  'reasons.app_disabled.move':
    'Fragen Sie den Betreiber. Sobald die App wieder aktiviert ist, müssen alle Personen sie neu zulassen.',
  'reasons.code_expired_or_ended.why':
    'Der Code wurde nicht innerhalb einer Minute verwendet, oder seine Autorisierung ist beendet.',
  'reasons.code_expired_or_ended.move': 'Beginnen Sie in der App von vorn.',
  'reasons.code_reused.why': 'Der Code wurde schon vorher verwendet. Ein Code gilt einmal.',
  'reasons.code_reused.move':
    'Die App muss die Tokens behalten, die sie für den Code erhalten hat. Hat sie keine, trennen Sie sie und beginnen Sie von vorn.',
  'reasons.disconnected.why':
    'Die Person hat die App getrennt, oder ein Admin hat ihren Zugriff für diese Person beendet.',
  'reasons.disconnected.move':
    'War das ein Versehen, kann die Person die App von der App aus wieder zulassen.',
  'reasons.expired.why': 'Es ist abgelaufen.',
  'reasons.expired.move':
    'Eine App erhält mit ihrem Refresh-Token ein neues. Ein Programm mit einem Schlüsselsatz signiert ein neues.',
  'reasons.expiry_malformed.why': 'Sein Ablaufzeitpunkt (exp) ist nicht lesbar.',
  'reasons.expiry_malformed.move':
    'Schreiben Sie ihn als ganze Sekunden seit 1970, nicht als Text und nicht in Millisekunden.',
  'reasons.family_ended.why': 'Die Autorisierung, zu der es gehört, ist beendet.',
  'reasons.family_ended.move': 'Die Person muss die App von der App aus neu zulassen.',
  'reasons.grant_ended.why': 'Die Autorisierung, zu der es gehört, ist beendet.',
  'reasons.grant_ended.move': 'Die Person muss die App von der App aus neu zulassen.',
  'reasons.grant_unknown.why': 'Die Autorisierung, von der es stammt, gibt es nicht mehr.',
  'reasons.grant_unknown.move': 'Die Person muss die App von der App aus neu zulassen.',
  'reasons.id_token.why':
    'Es ist ein ID-Token: Es sagt einer App, wer sich angemeldet hat, gibt aber keinen Zugriff.',
  'reasons.id_token.move': 'Senden Sie das Access-Token, das mit ihm kam.',
  'reasons.install_suspended.why': 'Ein Admin hat die App hier gesperrt.',
  'reasons.install_suspended.move':
    'Entsperren Sie sie unter „Apps“. Das Token wird dann sofort wieder akzeptiert.',
  'reasons.install_unknown.why': 'Die Installation, von der es stammt, gibt es nicht mehr.',
  'reasons.install_unknown.move': 'Installieren Sie die App von der App aus neu.',
  'reasons.issued_at_malformed.why':
    'Sein Ausstellungszeitpunkt (iat) fehlt oder ist nicht lesbar.',
  'reasons.issued_at_malformed.move':
    'Schreiben Sie ihn als ganze Sekunden seit 1970, nicht als Text und nicht in Millisekunden.',
  'reasons.issued_in_the_future.why': 'Sein Ausstellungszeitpunkt (iat) liegt in der Zukunft.',
  'reasons.issued_in_the_future.move': 'Stellen Sie die Uhr des signierenden Programms richtig.',
  'reasons.issuer_malformed.why': 'Sein Issuer (iss) fehlt oder ist nicht lesbar.',
  'reasons.issuer_malformed.move': 'Setzen Sie iss auf die Client-ID des Schlüsselsatzes.',
  'reasons.key_set_unknown.why': 'Kein Schlüsselsatz hat die Client-ID in iss.',
  'reasons.key_set_unknown.move':
    'Setzen Sie iss auf die Client-ID eines Schlüsselsatzes für die aktuelle Schnittstelle, genau wie angezeigt.',
  'reasons.moved.why': 'Die App hat es gegen eine Autorisierung ihrer aktuellen Version getauscht.',
  'reasons.moved.move':
    'Die App muss das eingetauschte Token verwenden. Dieses noch einmal zu senden, beendet die ganze Autorisierung.',
  'reasons.not_yet_valid.why': 'Es ist noch nicht gültig (nbf).',
  'reasons.not_yet_valid.move':
    'Warten Sie, oder lassen Sie nbf weg. Stellen Sie die Uhr des signierenden Programms richtig.',
  'reasons.other_audience.why': 'Es ist für eine andere API (aud).',
  'reasons.other_audience.move':
    'Verwenden Sie es dort. Lassen Sie aud in einem eigenen Token weg.',
  'reasons.other_issuer.why': 'Es wurde unter einer anderen Adresse dieses Dienstes ausgestellt.',
  'reasons.other_issuer.move': 'Lassen Sie die App hier ein neues holen.',
  'reasons.password_changed.why':
    'Die Person hat das Passwort geändert. Das beendet frühere Autorisierungen.',
  'reasons.password_changed.move': 'Die Person muss die App von der App aus neu zulassen.',
  'reasons.permissions_malformed.why': 'Seine Berechtigungen sind keine Liste von Namen.',
  'reasons.permissions_malformed.move':
    'Schreiben Sie sie als Liste, oder lassen Sie sie weg, um nur zu lesen.',
  'reasons.refresh_token_reused.why':
    'Das Refresh-Token wurde schon vorher verwendet. Jedes gilt einmal.',
  'reasons.refresh_token_reused.move':
    'Die App muss das neuere verwenden, das sie erhalten hat. Dieses noch einmal zu senden, beendet die ganze Autorisierung.',
  'reasons.reuse_detected.why':
    'Ein Code oder Refresh-Token dieser Autorisierung wurde zweimal verwendet. Es ist vielleicht gestohlen, deshalb wurde die ganze Autorisierung beendet.',
  'reasons.reuse_detected.move':
    'Finden Sie heraus, ob die App ein Refresh-Token zweimal sendet oder ob eines gestohlen wurde. Danach lässt die Person die App neu zu.',
  'reasons.revoked.why': 'Die App hat ihre Autorisierung widerrufen.',
  'reasons.revoked.move': 'Die Person muss die App von der App aus neu zulassen.',
  'reasons.secret_of_current_key_set.why':
    'Das ist das Client-Secret selbst. Es signiert Tokens und wird nie gesendet.',
  'reasons.secret_of_current_key_set.move':
    'Signieren Sie damit ein JWT und senden Sie das JWT. Wurde das Secret an jemanden gesendet, rotieren Sie den Schlüsselsatz.',
  'reasons.secret_retired.why': 'Das Secret dahinter wurde stillgelegt.',
  'reasons.secret_retired.move':
    'Lassen Sie das Programm das aktive Secret verwenden. Ist dieses verloren, rotieren Sie den Schlüsselsatz.',
  'reasons.secret_unknown.why': 'Kein Schlüsselsatz hat dieses Secret.',
  'reasons.secret_unknown.move':
    'Es wurde vor langer Zeit stillgelegt, gehört zu einer anderen Organisation oder wurde nicht vollständig kopiert.',
  'reasons.signature_invalid.why':
    'Die Signatur ist falsch: Das Token wurde verändert oder mit einem anderen Secret signiert.',
  'reasons.signature_invalid.move':
    'Signieren Sie mit HS256 und dem Text des Secrets, nicht dekodiert. Verwenden Sie kein Secret, das vor langer Zeit stillgelegt wurde.',
  'reasons.superseded.why':
    'Die App hat viele neuere Autorisierungen dieser Person. Die ältesten enden.',
  'reasons.superseded.move':
    'Die App muss ihre Tokens behalten und erneuern, statt jedes Mal neu zu fragen.',
  'reasons.token_revoked.why': 'Die App hat dieses Token widerrufen.',
  'reasons.token_revoked.move': 'Die App kann ein anderes erhalten.',
  'reasons.uninstalled.why': 'Die App wurde hier deinstalliert.',
  'reasons.uninstalled.move':
    'Um sie wieder zu verwenden, muss ein Admin sie installieren, und alle müssen sie neu zulassen.',
  'reasons.unreadable.why': 'Dieser Dienst kann es nicht ausgestellt haben.',
  'reasons.unreadable.move': 'Kopieren Sie es noch einmal vollständig, ohne Anführungszeichen.',
  'reasons.user_disabled.why': 'Das Konto der Person wurde deaktiviert.',
  'reasons.user_disabled.move': 'Nur der Betreiber kann es wieder aktivieren.',
  'reasons.user_left.why': 'Die Person ist kein Mitglied der Organisation mehr.',
  'reasons.user_left.move':
    'Fügen Sie die Person wieder hinzu. Danach muss sie die App neu zulassen.',
  'reasons.workspace_ids_malformed.why':
    'Seine Workspaces (workspace_ids) sind keine Liste von IDs.',
  'reasons.workspace_ids_malformed.move':
    'Schreiben Sie sie als Liste, oder lassen Sie sie für alle weg.',
  'simulation.heading': 'Was würde eine App erhalten?',
  'simulation.lead': 'Es wird kein Token ausgestellt und keine Person gefragt.',
  'simulation.app': 'App',
  'simulation.chooseApp': 'App wählen',
  'simulation.person': 'Für',
  'simulation.itself': 'Sich selbst, keine Person',
  'simulation.submit': 'Anzeigen',
  'simulation.missing': 'Wählen Sie eine App und ein Mitglied der Organisation.',
  'simulation.none': 'Hier wurde noch nie eine App installiert.',
  'simulation.result':
    '{person, select, none {Was {app} für sich selbst erhalten würde} other {Was {app} für {person} erhalten würde}}',
  'simulation.granted': 'Sie würde ein Token erhalten.',
  'simulation.refused': 'Sie würde kein Token erhalten.',
  'simulation.asksAgain':
    'Die App verlangt mehr, als die Person gesehen hat. Deshalb wird die Person beim nächsten Mal neu gefragt.',
  'simulation.permissions': 'Berechtigungen',
  'simulation.workspaces': 'Workspaces',
  'simulation.noWorkspace': 'Es gibt keine Workspaces.',
  'simulation.permission': 'Berechtigung',
  'simulation.workspace': 'Workspace',
  'simulation.because': 'Weil',
  'simulation.yes': 'ja',
  'simulation.no': 'nein',
  'simulation.given': 'Im Token',
  'simulation.obstacles.app_disabled': 'Der Betreiber dieses Dienstes hat die App deaktiviert.',
  'simulation.obstacles.legacy_interface':
    'Apps der alten Schnittstelle handeln nie für sich selbst.',
  'simulation.obstacles.public_client':
    'Eine App, die auf Geräten von Personen läuft, handelt nie für sich selbst.',
  'simulation.obstacles.user_disabled': 'Das Konto der Person wurde deaktiviert.',
  'simulation.obstacles.user_left': 'Die Person ist kein Mitglied der Organisation.',
  'simulation.obstacles.not_installed': 'Die App ist hier nicht installiert.',
  'simulation.obstacles.install_suspended': 'Ein Admin hat die App hier gesperrt.',
  'simulation.obstacles.consent_missing':
    'Die Person hat die App noch nicht zugelassen und würde gefragt.',
  'simulation.obstacles.malformed': 'Der angefragte Scope oder die Workspaces sind nicht lesbar.',
  'simulation.obstacles.openid_missing':
    'Sie verlangt einen Namen oder eine E-Mail-Adresse ohne openid.',
  'simulation.obstacles.openid_not_allowed':
    'Sie verlangt die Identität der Person, ist dafür aber nicht registriert.',
  'simulation.obstacles.openid_not_approved':
    'Sie verlangt mehr personenbezogene Daten, als die Person erlaubt hat.',
  'simulation.obstacles.unknown_permission': 'Sie verlangt eine Berechtigung, die es nicht gibt.',
  'simulation.obstacles.permission_not_approved':
    'Sie verlangt eine nicht genehmigte Berechtigung.',
  'simulation.obstacles.workspace_not_approved': 'Sie verlangt einen nicht genehmigten Workspace.',
  'simulation.causes.granted': 'genehmigt',
  'simulation.causes.not_asked_by_app': 'die App fragt nie danach',
  'simulation.causes.not_installed': 'die App ist hier nicht installiert',
  'simulation.causes.not_approved_by_admin': 'kein Admin hat das genehmigt',
  'simulation.causes.consent_missing': 'die Person wurde noch nicht gefragt',
  'simulation.causes.withheld_by_user': 'die Person hat das nicht erlaubt',
  'simulation.causes.left_out_by_request': 'die Anfrage lässt das weg',
  'simulation.causes.not_a_member': 'die Person ist nicht in diesem Workspace',
}
