import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationKeys: Catalogue<typeof areas.organizationKeys> = {
  'keys.title': 'Schlüsselsätze',
  'keys.heading': 'Schlüsselsätze von {organization}',
  'keys.lead':
    'Mit einem Schlüsselsatz verwenden Ihre eigenen Programme die Daten der Organisation, ohne dass sich eine Person anmeldet.',
  'keys.create': 'Neuer Schlüsselsatz',
  'keys.emptyHeading': 'Es gibt noch keinen Schlüsselsatz',
  'keys.empty':
    'Erstellen Sie für jedes Programm einen. So können Sie einen löschen, ohne die anderen zu beeinträchtigen.',
  'keys.interfaces.current': 'Aktuelle Schnittstelle',
  'keys.interfaces.legacy': 'Alte Schnittstelle',
  'keys.ids.current': 'Client-ID',
  'keys.ids.legacy': 'App-ID',
  'keys.by': 'Erstellt von',
  'keys.workloads': 'Vertrauenswürdige Workloads (brauchen kein Secret)',
  'keys.created': 'Erstellt',
  'keys.operator': 'Der Betreiber dieses Dienstes',
  'keys.secrets': 'Secrets',
  'keys.noSecret':
    'Kein Secret ist aktiv. Deshalb kann kein Programm diesen Schlüsselsatz verwenden, bis Sie ihn rotieren.',
  'keys.noSecretNeeded':
    'Kein Secret ist aktiv. Nur die vertrauenswürdigen Workloads erhalten Tokens dieses Schlüsselsatzes.',
  'keys.secret.hint': 'Endet auf',
  'keys.secret.created': 'Erstellt',
  'keys.secret.lastUsed': 'Zuletzt verwendet',
  'keys.secret.until': 'Gültig bis',
  'keys.secret.open': 'Sie es stilllegen',
  'keys.secret.standing': 'Status',
  'keys.secret.standings.only': 'Aktiv',
  'keys.secret.standings.newest': 'Das neueste; behalten Sie dieses',
  'keys.secret.standings.inUse': 'Noch in Verwendung, zuletzt am {when}; nicht stilllegen',
  'keys.secret.standings.resting':
    'Zuletzt am {when} verwendet, vor dem Erstellen des neueren; Stilllegen ist sicher, sobald jedes Programm, das es verwendet hat, wieder gelaufen ist',
  'keys.secret.standings.waiting': 'Das neuere wurde noch nicht verwendet; nicht stilllegen',
  'keys.secret.standings.replaced':
    'Stilllegen ist sicher: Das neuere ist in Verwendung, und dieses {when, select, none {wurde nie verwendet} other {wurde zuletzt am {when} verwendet}}',
  'keys.secret.standings.unused':
    '{everUsed, select, true {Stilllegen ist sicher: seit {days, plural, one {# Tag} other {# Tagen}} nicht verwendet} other {Stilllegen ist sicher: nie verwendet, seit es vor {days, plural, one {# Tag} other {# Tagen}} erstellt wurde}}',
  'keys.secret.standings.endless':
    'Es gab Tokens ohne Ablaufdatum, zuletzt am {on}. Rotieren Sie das Secret, um sie zu beenden.',
  'keys.secret.action': 'Aktion',
  'keys.secret.retire': 'Stilllegen',
  'keys.edit': 'Bearbeiten',
  'keys.rotate': 'Rotieren',
  'keys.remove': 'Löschen',
  'keys.done.changed': 'Die Änderung ist wirksam.',
  'keys.done.retired': 'Das Secret ist stillgelegt. Damit signierte Tokens gelten nicht mehr.',
  'keys.done.deleted': 'Der Schlüsselsatz ist gelöscht. Seine Tokens gelten nicht mehr.',
  'keys.tooMany':
    'Zwei Secrets sind schon aktiv. Legen Sie eines still oder lassen Sie beide sofort enden. Wenn Sie das neue Secret nicht gesehen haben, legen Sie es still.',
  'keyRotate.title': 'Schlüsselsatz rotieren',
  'keyRotate.heading': 'Neues Secret für {name}',
  'keyRotate.legend': 'Wie lange gilt das bisherige Secret noch?',
  'keyRotate.overlaps.hour.words': 'Noch 1 Stunde',
  'keyRotate.overlaps.hour.hint': 'Für ein Programm, das Sie jetzt ändern können.',
  'keyRotate.overlaps.day.words': 'Noch 1 Tag',
  'keyRotate.overlaps.week.words': 'Noch 7 Tage',
  'keyRotate.overlaps.month.words': 'Noch 30 Tage',
  'keyRotate.overlaps.month.hint': 'Für Programme, die andere Personen ändern müssen.',
  'keyRotate.overlaps.now.words': 'Es endet sofort',
  'keyRotate.overlaps.now.hint':
    'Wählen Sie das, wenn das Secret bekannt geworden ist. Programme, die es verwenden, stehen still.',
  'keyRotate.full':
    'Zwei Secrets sind aktiv. Um eines neben einem neuen zu behalten, legen Sie zuerst das andere still.',
  'keyRotate.none': 'Zurzeit ist kein Secret aktiv.',
  'keyRotate.confirm': 'Neues Secret erstellen',
  'keyRotate.back': 'Abbrechen',
  'keyStop.remove.title': 'Schlüsselsatz löschen',
  'keyStop.remove.heading': '{name} löschen?',
  'keyStop.remove.atOnce':
    'Programme, die ihn verwenden, funktionieren sofort nicht mehr. Alle seine Tokens werden ungültig.',
  'keyStop.remove.forGood':
    'Das lässt sich nicht rückgängig machen. Ein neuer Schlüsselsatz hat eine andere ID und ein anderes Secret.',
  'keyStop.remove.confirm': '{name} löschen',
  'keyStop.retire.title': 'Secret stilllegen',
  'keyStop.retire.heading': 'Secret {hint} von {name} stilllegen?',
  'keyStop.retire.atOnce':
    'Programme, die dieses Secret noch verwenden, funktionieren sofort nicht mehr.',
  'keyStop.retire.only':
    'Das ist das einzige Secret. Programme, die den Schlüsselsatz verwenden, funktionieren sofort nicht mehr, bis Sie rotieren.',
  'keyStop.retire.confirm': 'Dieses Secret stilllegen',
  'keyStop.untrust.title': 'Einem Workload nicht mehr vertrauen',
  'keyStop.untrust.heading': '{workload} nicht mehr vertrauen?',
  'keyStop.untrust.atOnce':
    'Er erhält kein Token dieses Schlüsselsatzes mehr. Seine vorhandenen Tokens gelten sofort nicht mehr.',
  'keyStop.untrust.confirm': 'Nicht mehr vertrauen',
  'keyWorkloads.title': 'Vertrauenswürdige Workloads',
  'keyWorkloads.heading': 'Vertrauenswürdige Workloads von {name}',
  'keyWorkloads.lead':
    'Ein Job oder Dienst mit einem Token seiner eigenen Plattform, zum Beispiel ein CI-Job, erhält über diesen Schlüsselsatz Zugriff ohne Secret.',
  'keyWorkloads.none': 'Noch wird keinem Workload vertraut.',
  'keyWorkloads.issuer': 'Issuer',
  'keyWorkloads.issuerHint': 'Der genaue Claim iss seiner Tokens: eine https-Adresse.',
  'keyWorkloads.subject': 'Subject',
  'keyWorkloads.subjectHint': 'Der genaue Claim sub seiner Tokens.',
  'keyWorkloads.claims': 'Weitere Claims',
  'keyWorkloads.claimsHint':
    'Einer pro Zeile, zum Beispiel repository=acme/nightly. Jeder Wert muss genau so lauten.',
  'keyWorkloads.jwksUri': 'Adresse der öffentlichen Schlüssel',
  'keyWorkloads.jwksUriHint': 'Nur für einen Issuer, der keine Metadaten veröffentlicht.',
  'keyWorkloads.optional': 'optional',
  'keyWorkloads.add': 'Einem Workload vertrauen',
  'keyWorkloads.trust': 'Vertrauen',
  'keyWorkloads.remove': 'Nicht mehr vertrauen',
  'keyWorkloads.action': 'Aktion',
  'keyWorkloads.full': 'Ein Schlüsselsatz vertraut höchstens {count, number} Workloads.',
  'keyWorkloads.back': 'Schlüsselsätze',
  'keyWorkloads.faults.issuer': 'Geben Sie die https-Adresse des Issuers ohne Query ein.',
  'keyWorkloads.faults.ownIssuer':
    'Die Tokens dieses Servers sind für Daten-APIs. Für einen Workload gelten sie nicht.',
  'keyWorkloads.faults.subject': 'Geben Sie ein Subject oder einen Claim ein.',
  'keyWorkloads.faults.claims':
    'Geben Sie jeden Claim als Name=Wert in einer eigenen Zeile ein, höchstens 10.',
  'keyWorkloads.faults.jwksUri':
    'Geben Sie die https-Adresse der Schlüssel ein. Sie ist für alle Workloads eines Issuers gleich.',
  'keyWorkloads.faults.duplicate': 'Diesem Workload wird schon vertraut.',
  'keyWorkloads.done.trusted': 'Dem Workload wird jetzt vertraut.',
  'keyWorkloads.done.untrusted':
    'Dem Workload wird nicht mehr vertraut. Seine Tokens gelten nicht mehr.',
  'keyForm.kinds': 'Welche Schnittstelle verwendet das Programm?',
  'keyForm.kind.current.name': 'Aktuelle Schnittstelle',
  'keyForm.kind.current.hint':
    'Das Programm signiert seine Tokens selbst oder erhält sie ohne Secret. Wählen Sie das für neue Programme.',
  'keyForm.kind.legacy.name': 'Alte Schnittstelle',
  'keyForm.kind.legacy.hint':
    'Das Programm sendet das Secret mit jeder Anfrage. Für bereits bestehende Programme.',
  'keyForm.chosen': 'Gewählt',
  'keyForm.createTitle': 'Neuer Schlüsselsatz',
  'keyForm.changeTitle': 'Schlüsselsatz bearbeiten',
  'keyForm.headings.current': 'Neuer Schlüsselsatz',
  'keyForm.headings.legacy': 'Neuer Schlüsselsatz für die alte Schnittstelle',
  'keyForm.changeHeading': 'Schlüsselsatz bearbeiten',
  'keyForm.lead.current':
    'Für Programme, die ihre Tokens mit Client-ID und Client-Secret selbst signieren.',
  'keyForm.lead.legacy':
    'Für Programme, die mit jeder Anfrage ein App-Secret als secretKey senden.',
  'keyForm.changeLead': 'Änderungen gelten auch für laufende Tokens. Die Secrets bleiben gleich.',
  'keyForm.name': 'Name',
  'keyForm.nameHint': 'Für welches Programm er ist, zum Beispiel „Nächtlicher Export“.',
  'keyForm.nameFault': 'Geben Sie einen Namen mit höchstens 100 Zeichen ein.',
  'keyForm.description': 'Beschreibung',
  'keyForm.optional': 'optional',
  'keyForm.descriptionFault':
    'Geben Sie eine Beschreibung mit höchstens 1000 Zeichen in einer Zeile ein.',
  'keyForm.may': 'Maximale Berechtigungen',
  'keyForm.where': 'Maximale Workspaces',
  'keyForm.create': 'Erstellen',
  'keyForm.save': 'Speichern',
  'keyForm.back': 'Abbrechen',
  'secret.title': 'Neues Secret',
  'secret.heading': 'Das Secret von {name}',
  'secret.once': 'Kopieren Sie es jetzt. Es wird nicht noch einmal angezeigt, auch Ihnen nicht.',
  'secret.lost': 'Wenn Sie es verlieren, rotieren Sie den Schlüsselsatz.',
  'secret.labels.current': 'Client-Secret',
  'secret.labels.legacy': 'App-Secret',
  'secret.copy': 'Kopieren',
  'secret.copied': 'Kopiert.',
  'secret.copyFailed':
    'Das Kopieren hat nicht funktioniert. Wählen Sie das Feld aus und kopieren Sie es selbst.',
  'secret.download': 'Als Datei herunterladen',
  'secret.downloadHint':
    'Die Datei enthält das Secret im Klartext. Bewahren Sie sie so auf, dass nur das Programm sie lesen kann.',
  'secret.usage.current':
    'Signieren Sie damit ein JWT (HS256; der Schlüssel ist das Secret genau wie angezeigt), mit der Client-ID als Issuer.',
  'secret.usage.legacy': 'Senden Sie es als Variable secretKey, nur von Servern aus.',
  'secret.ends': 'Das Secret, das auf {hint} endet, gilt bis {until}.',
  'secret.done': 'Ich habe es gespeichert',
  'secret.goneHeading': 'Dieses Secret wurde schon angezeigt',
  'secret.gone':
    'Ein Secret wird einmal angezeigt, nur der Person, die es erstellt hat. Wenn Sie es nicht gespeichert haben, rotieren Sie den Schlüsselsatz, um ein neues zu erstellen.',
  'secret.back': 'Schlüsselsätze',
}
