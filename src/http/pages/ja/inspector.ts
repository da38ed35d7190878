import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  title: 'トークンの検査',
  heading: '{organization}のトークン',
  lead: 'トークンの内容、許可された操作、拒否される理由を確認できます。',
  'form.heading': 'トークンの内容を確認',
  'form.label': 'トークン',
  'form.hint':
    'アクセストークン、リフレッシュトークン、コード、またはキーセットのシークレット。保存も記録もされず、使用済みにもなりません。',
  'form.submit': '説明を表示',
  'form.empty': 'トークンを貼り付けてください。',
  'verdict.accepted.access_token': '現在、使用できます。',
  'verdict.accepted.self_signed': '現在、使用できます。',
  'verdict.accepted.secret_key': '現在、使用できます。',
  'verdict.accepted.refresh_token': '有効です。アプリは1回だけアクセストークンに交換できます。',
  'verdict.accepted.code': '有効です。アプリは1回だけトークンに交換できます。',
  'verdict.refused': '使用できません。',
  'unknown.heading': 'この組織のトークンではありません',
  'unknown.why': '別の組織のものか、コピーが不完全か、失効してから時間が経ち記録が残っていません。',
  'unknown.move':
    '引用符を含めずに、全体をもう一度コピーしてください。別の組織のトークンは、その組織の管理者が検査できます。',
  'signedOtherwise.heading': 'キーセットのシークレットで署名されていません',
  'signedOtherwise.why':
    '発行者は{keySet}とされていますが、有効な署名がないため、内容を信頼できません。',
  'signedOtherwise.move':
    'シークレットの文字列をデコードせずに使い、HS256 で署名してください。以前に廃止したシークレットは使わないでください。',
  'facts.kind': '種類',
  'facts.hint': '末尾',
  'facts.interface': 'インターフェース',
  'facts.app': 'アプリ',
  'facts.keySet': 'キーセット',
  'facts.actors': '経由',
  'facts.person': '対象ユーザー',
  'facts.itself': 'アプリ自身（ユーザーではありません）',
  'facts.organization': '組織',
  'facts.may': '許可された操作',
  'facts.might': '可能な操作',
  'facts.nothing': 'なし',
  'facts.issued': '発行日時',
  'facts.expires': '有効期限',
  'facts.unknown': '不明',
  'facts.withoutEnd': '個別の期限なし：シークレットまたは認可とともに失効します',
  'facts.key': '鍵に紐付け',
  'facts.keyNeeded': '次のサムプリントの鍵による証明がある場合にのみ有効です：',
  'kinds.user': 'ユーザーに代わるアプリのアクセストークン',
  'kinds.install': 'アプリ自身のアクセストークン',
  'kinds.refresh_token': 'ユーザーに代わるアプリのリフレッシュトークン',
  'kinds.code': 'ユーザーに代わるアプリの認可コード',
  'kinds.self_signed': '自社のプログラムが署名したトークン',
  'kinds.secret_key': 'キーセットのシークレット',
  'interfaces.current': '現行',
  'interfaces.legacy': 'レガシー',
  'reasons.actor_disabled.why':
    'このアプリを通じて操作するアプリを、サービスの運営者が無効にしたか、そのトークンを失効させました。',
  'reasons.actor_disabled.move':
    '運営者にお問い合わせください。アプリが有効になると、新しいトークンが自動的に取得されます。',
  'reasons.actor_suspended.why': 'このアプリを通じて操作するアプリを、管理者が一時停止しました。',
  'reasons.actor_suspended.move':
    '「アプリ」で再開してください。トークンはすぐに再び使用できます。',
  'reasons.actor_uninstalled.why': 'このアプリを通じて操作するアプリがアンインストールされました。',
  'reasons.actor_uninstalled.move':
    'もう一度インストールしてください。新しいトークンが自動的に取得されます。',
  'reasons.app_disabled.why': 'サービスの運営者がアプリを無効にしたか、トークンを失効させました。',
  'reasons.app_disabled.move':
    '運営者にお問い合わせください。アプリが有効になった後、ユーザーはもう一度許可する必要があります。',
  'reasons.code_expired_or_ended.why': 'コードが1分以内に使われなかったか、認可が終了しました。',
  'reasons.code_expired_or_ended.move': 'アプリからやり直してください。',
  'reasons.code_reused.why': 'コードは使用済みです。コードは1回だけ使えます。',
  'reasons.code_reused.move':
    'アプリは、コードと交換したトークンを保持する必要があります。取得できなかった場合は、接続を解除してやり直してください。',
  'reasons.disconnected.why':
    'ユーザーがアプリの接続を解除したか、管理者がこのユーザーのアクセスを終了しました。',
  'reasons.disconnected.move': '誤りだった場合、ユーザーはアプリからもう一度許可できます。',
  'reasons.expired.why': '有効期限が切れています。',
  'reasons.expired.move':
    'アプリはリフレッシュトークンで新しいトークンを取得します。キーセットを使うプログラムは新しいトークンに署名します。',
  'reasons.expiry_malformed.why': '有効期限（exp）を読み取れません。',
  'reasons.expiry_malformed.move':
    '1970年からの秒数を整数で指定してください。文字列やミリ秒は使えません。',
  'reasons.family_ended.why': '元の認可が終了しました。',
  'reasons.family_ended.move': 'ユーザーは、アプリからもう一度許可する必要があります。',
  'reasons.grant_ended.why': '元の認可が終了しました。',
  'reasons.grant_ended.move': 'ユーザーは、アプリからもう一度許可する必要があります。',
  'reasons.grant_unknown.why': '元の認可はもう存在しません。',
  'reasons.grant_unknown.move': 'ユーザーは、アプリからもう一度許可する必要があります。',
  'reasons.id_token.why':
    'ID トークンです。サインインしたユーザーをアプリに伝えるもので、アクセスには使えません。',
  'reasons.id_token.move': '一緒に発行されたアクセストークンを送信してください。',
  'reasons.install_suspended.why': '管理者がここでアプリを一時停止しました。',
  'reasons.install_suspended.move':
    '「アプリ」で再開してください。トークンはすぐに再び使用できます。',
  'reasons.install_unknown.why': '元のインストールはもう存在しません。',
  'reasons.install_unknown.move': 'アプリからもう一度インストールしてください。',
  'reasons.issued_at_malformed.why': '発行時刻（iat）がないか、読み取れません。',
  'reasons.issued_at_malformed.move':
    '1970年からの秒数を整数で指定してください。文字列やミリ秒は使えません。',
  'reasons.issued_in_the_future.why': '発行時刻（iat）が未来です。',
  'reasons.issued_in_the_future.move': '署名するプログラムの時計を修正してください。',
  'reasons.issuer_malformed.why': '発行者（iss）がないか、読み取れません。',
  'reasons.issuer_malformed.move': 'iss にキーセットの Client ID を指定してください。',
  'reasons.key_set_unknown.why': 'iss の Client ID を持つキーセットがありません。',
  'reasons.key_set_unknown.move':
    'iss に、現行インターフェースのキーセットの Client ID を表示どおりに指定してください。',
  'reasons.moved.why': 'アプリが現行版の認可に交換済みです。',
  'reasons.moved.move':
    'アプリは、交換したトークンを使う必要があります。このトークンをもう一度送信すると、認可全体が終了します。',
  'reasons.not_yet_valid.why': 'まだ有効になっていません（nbf）。',
  'reasons.not_yet_valid.move':
    '待つか、nbf を省略してください。署名するプログラムの時計を修正してください。',
  'reasons.other_audience.why': '別の API 用です（aud）。',
  'reasons.other_audience.move':
    'その API で使ってください。自社で署名するトークンでは aud を省略してください。',
  'reasons.other_issuer.why': 'このサービスの別のアドレスで発行されました。',
  'reasons.other_issuer.move': 'アプリで、ここから新しいトークンを取得してください。',
  'reasons.password_changed.why': 'ユーザーがパスワードを変更したため、以前の認可は終了しました。',
  'reasons.password_changed.move': 'ユーザーは、アプリからもう一度許可する必要があります。',
  'reasons.permissions_malformed.why': '権限が名前のリストになっていません。',
  'reasons.permissions_malformed.move':
    'リストで指定してください。読み取りだけの場合は省略してください。',
  'reasons.refresh_token_reused.why':
    'リフレッシュトークンは使用済みです。それぞれ1回だけ使えます。',
  'reasons.refresh_token_reused.move':
    'アプリは、新しいほうを使う必要があります。このトークンをもう一度送信すると、認可全体が終了します。',
  'reasons.reuse_detected.why':
    'この認可のコードまたはリフレッシュトークンが2回使われました。盗まれた可能性があるため、認可全体を終了しました。',
  'reasons.reuse_detected.move':
    'アプリがリフレッシュトークンを2回送信したのか、盗まれたのかを確認してください。その後、ユーザーがもう一度アプリを許可します。',
  'reasons.revoked.why': 'アプリが認可を取り消しました。',
  'reasons.revoked.move': 'ユーザーは、アプリからもう一度許可する必要があります。',
  'reasons.secret_of_current_key_set.why':
    'これは Client Secret そのものです。トークンの署名に使うもので、送信するものではありません。',
  'reasons.secret_of_current_key_set.move':
    'これで JWT に署名し、JWT を送信してください。シークレットをどこかに送信した場合は、キーセットをローテーションしてください。',
  'reasons.secret_retired.why': '元のシークレットは廃止されました。',
  'reasons.secret_retired.move':
    'プログラムで有効なシークレットを使ってください。なくした場合は、キーセットをローテーションしてください。',
  'reasons.secret_unknown.why': 'このシークレットを持つキーセットがありません。',
  'reasons.secret_unknown.move': '以前に廃止されたか、別の組織のものか、コピーが不完全です。',
  'reasons.signature_invalid.why':
    '署名が正しくありません。トークンが変更されたか、別のシークレットで署名されています。',
  'reasons.signature_invalid.move':
    'シークレットの文字列をデコードせずに使い、HS256 で署名してください。以前に廃止したシークレットは使わないでください。',
  'reasons.superseded.why':
    'このユーザーの新しい認可がアプリに多数あります。古いものから終了します。',
  'reasons.superseded.move':
    'アプリは、毎回求めるのではなく、トークンを保持して更新する必要があります。',
  'reasons.token_revoked.why': 'アプリがこのトークンを取り消しました。',
  'reasons.token_revoked.move': 'アプリは別のトークンを取得できます。',
  'reasons.uninstalled.why': 'アプリはここからアンインストールされました。',
  'reasons.uninstalled.move':
    '再び使用するには、管理者によるインストールと、全員による許可がもう一度必要です。',
  'reasons.unreadable.why': 'このサービスが発行したものではありません。',
  'reasons.unreadable.move': '引用符を含めずに、全体をもう一度コピーしてください。',
  'reasons.user_disabled.why': 'ユーザーのアカウントが無効になりました。',
  'reasons.user_disabled.move': '有効に戻せるのは運営者だけです。',
  'reasons.user_left.why': 'ユーザーはもう組織のメンバーではありません。',
  'reasons.user_left.move':
    'ユーザーをもう一度追加してください。その後、ユーザーがアプリをもう一度許可します。',
  'reasons.workspace_ids_malformed.why':
    'ワークスペース（workspace_ids）が ID のリストになっていません。',
  'reasons.workspace_ids_malformed.move':
    'リストで指定してください。すべてを対象とする場合は省略してください。',
  'simulation.heading': 'アプリが取得する内容',
  'simulation.lead': 'トークンは発行されず、ユーザーへの確認も行われません。',
  'simulation.app': 'アプリ',
  'simulation.chooseApp': 'アプリを選択',
  'simulation.person': '対象ユーザー',
  'simulation.itself': 'アプリ自身（ユーザーではありません）',
  'simulation.submit': '表示',
  'simulation.missing': 'アプリと組織のメンバーを選択してください。',
  'simulation.none': 'ここにインストールされたアプリはありません。',
  'simulation.result':
    '{person, select, none {{app}がアプリ自身として取得する内容} other {{app}が{person}に代わって取得する内容}}',
  'simulation.granted': 'トークンを取得できます。',
  'simulation.refused': 'トークンを取得できません。',
  'simulation.asksAgain':
    'アプリが、ユーザーが確認した範囲を超えて求めているため、次回もう一度確認が行われます。',
  'simulation.permissions': '権限',
  'simulation.workspaces': 'ワークスペース',
  'simulation.noWorkspace': 'ワークスペースはありません。',
  'simulation.permission': '権限',
  'simulation.workspace': 'ワークスペース',
  'simulation.because': '理由',
  'simulation.yes': 'はい',
  'simulation.no': 'いいえ',
  'simulation.given': 'トークンに含まれる',
  'simulation.obstacles.app_disabled': 'サービスの運営者がアプリを無効にしています。',
  'simulation.obstacles.legacy_interface':
    'レガシーインターフェースのアプリは、アプリ自身としては動作しません。',
  'simulation.obstacles.public_client':
    'ユーザーのデバイスで動作するアプリは、アプリ自身としては動作しません。',
  'simulation.obstacles.user_disabled': 'ユーザーのアカウントが無効になりました。',
  'simulation.obstacles.user_left': 'ユーザーが組織のメンバーではありません。',
  'simulation.obstacles.not_installed': 'アプリがここにインストールされていません。',
  'simulation.obstacles.install_suspended': '管理者がここでアプリを一時停止しました。',
  'simulation.obstacles.consent_missing':
    'ユーザーはまだアプリを許可していないため、確認が行われます。',
  'simulation.obstacles.malformed': '要求されたスコープまたはワークスペースを読み取れません。',
  'simulation.obstacles.openid_missing': 'openid なしで名前またはメールアドレスを要求しています。',
  'simulation.obstacles.openid_not_allowed':
    'ユーザーの識別情報を要求していますが、そのための登録がありません。',
  'simulation.obstacles.openid_not_approved':
    'ユーザーが許可した範囲を超える個人データを要求しています。',
  'simulation.obstacles.unknown_permission': '存在しない権限を要求しています。',
  'simulation.obstacles.permission_not_approved': '承認されていない権限を要求しています。',
  'simulation.obstacles.workspace_not_approved': '承認されていないワークスペースを要求しています。',
  'simulation.causes.granted': '承認済み',
  'simulation.causes.not_asked_by_app': 'アプリが要求していない',
  'simulation.causes.not_installed': 'アプリがここにインストールされていない',
  'simulation.causes.not_approved_by_admin': '管理者が承認していない',
  'simulation.causes.consent_missing': 'ユーザーにまだ確認していない',
  'simulation.causes.withheld_by_user': 'ユーザーが許可していない',
  'simulation.causes.left_out_by_request': 'リクエストに含まれていない',
  'simulation.causes.not_a_member': 'ユーザーがこのワークスペースに参加していない',
}
