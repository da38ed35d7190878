import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  deletedApp: '削除されたアプリ',
  deletedOrganization: '削除された組織',
  deletedKeySet: '削除されたキーセット',
  'facts.time': '時刻',
  'facts.device': 'デバイス',
  'facts.unknownDevice': '不明',
  'facts.address': 'IP アドレス',
  'facts.ends': '期限',
  'requested.subject':
    '{organization}：{person, select, none {メンバー} other {{person}さん}}が{app}を申請しています',
  'requested.lead':
    '{person, select, none {{organization}のメンバーが{app}の使用を申請しています。} other {{person}が{organization}での{app}の使用を申請しています。}}',
  'requested.action': '承認または却下する',
  'waiting.subject':
    '{organization}：{person, select, none {メンバー} other {{person}さん}}がまだ{app}の承認を待っています',
  'waiting.lead':
    '{person, select, none {{organization}のメンバー} other {{person}さん}}が3日前に{app}を申請しましたが、まだ回答がありません。',
  'waiting.action': '承認または却下する',
  'approved.subject': '{organization}での{app}の申請が承認されました',
  'approved.lead': '{organization}の管理者が申請を承認しました。{app}を使用できます。',
  'approved.action': '接続済みアプリを見る',
  'refused.subject': '{organization}での{app}の申請が却下されました',
  'refused.lead': '{organization}の管理者が{app}の申請を却下しました。',
  'refused.action': '接続済みアプリを見る',
  'unanswered.subject': '{organization}での{app}の申請に回答がありませんでした',
  'unanswered.lead':
    '期限までに、{organization}の管理者から{app}の申請への回答がありませんでした。アプリからもう一度申請できます。',
  'unanswered.action': '接続済みアプリを見る',
  'asksForMore.subject': '{app}が{organization}で追加の権限を求めています',
  'asksForMore.lead':
    '{app}が、{organization}で与えられていない権限を求めています。承認するまで、追加の権限は与えられません。',
  'asksForMore.action': '承認または却下する',
  'unused.subject': '{organization}で{app}が90日間使われていません',
  'unused.lead': '{organization}で{app}が不要になった場合は、アンインストールしてください。',
  'unused.action': 'アプリを見る',
  'secretEnds.subject': '{app}のシークレットが{day}に失効します',
  'secretEnds.lead':
    '{day}以降、このシークレットを使ったリクエストは失敗します。{app}のすべてのサーバーが新しいシークレットを使っていることを確認してください。',
  'secretEnds.action': 'シークレットを見る',
  'keyEnds.subject': '{organization}：{keySet}のシークレットが{day}に失効します',
  'keyEnds.lead':
    '{day}以降、このシークレットを使ったリクエストは失敗します。{keySet}を使うすべてのプログラムが新しいシークレットを使っていることを確認してください。',
  'keyEnds.action': 'キーセットを見る',
  'webhookOff.subject': '{app}の Webhook が無効になりました',
  'webhookOff.lead':
    'エンドポイントがなくなったか、数日間メッセージを受け付けませんでした。再び有効にするまで、{app}のイベントは送信されません。',
  'webhookOff.action': 'アプリを見る',
  'webhookFailed.subject': '{app}の Webhook メッセージを配信できませんでした',
  'webhookFailed.lead':
    '{app}のエンドポイントが数日間メッセージを受け付けませんでした。再送は行われません。',
  'webhookFailed.action': 'アプリを見る',
  'refusals.subject': '{app}のリクエストの拒否が急増しています',
  'refusals.lead':
    '本日の拒否件数：{count}。{app}のリクエストが拒否される件数は、通常はこれよりはるかに少なくなっています。',
  'refusals.action': 'アプリを見る',
  'reuse.subject': '{organization}で{app}のトークンが2回使用されました',
  'reuse.lead':
    'トークンのコピーが悪用されている可能性があるため、{app}のこの接続を終了しました。ユーザーはアプリをもう一度接続できます。',
  'reuse.action': 'アクティビティを見る',
  'connected.subject': '{app}があなたに代わって操作できるようになりました',
  'connected.lead':
    '{organization}で{app}を接続しました。心当たりがない場合は、接続を解除してパスワードを変更してください。',
  'connected.action': '接続済みアプリを見る',
  'disconnected.subject': '{app}はあなたに代わって操作できなくなりました',
  'disconnected.lead': '{organization}の管理者が{app}の接続を解除しました。',
  'disconnected.action': '接続済みアプリを見る',
  'passkey.subject': 'アカウントにパスキーが追加されました',
  'passkey.lead': '心当たりがない場合は、パスキーを削除してパスワードを変更してください。',
  'passkey.action': 'パスキーを見る',
  'passwordChanged.subject': 'パスワードが変更されました',
  'passwordChanged.lead':
    '以前のセッションとアプリの接続は終了しました。心当たりがない場合は、すぐに新しいパスワードを設定してください。',
  'passwordChanged.action': '新しいパスワードを設定',
  'newPlace.subject': 'アカウントへの新しいサインイン',
  'newPlace.lead':
    '新しいデバイスまたはネットワークでアカウントが使用されました。ご自身による場合、対応は不要です。心当たりがない場合は、セッションを終了してパスワードを変更してください。',
  'newPlace.action': 'セッションを見る',
  'forgotten.subject': '新しいパスワードを設定',
  'forgotten.lead':
    'リンクは{time}まで、1回だけ有効です。心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
  'forgotten.action': '新しいパスワードを設定',
  'invited.subject': '{brand}のアカウントのご案内',
  'invited.lead':
    '{brand}のアカウントが作成されました。サインインするにはパスワードを設定してください。リンクは{time}まで、1回だけ有効です。',
  'invited.action': 'パスワードを設定',
  'digest.subject': 'アプリに関するお知らせ',
  'digest.lead': '次のお知らせをまとめてお送りします：',
  'digest.action': 'ホーム',
  'why.security':
    'このメールは、アカウントまたは組織のセキュリティに関するものです。配信は停止できません。',
  'why.account':
    'リンクの有効期限が切れた場合は、サインインページから再送するか、管理者に再送を依頼してください。',
  'why.other': 'このメールは、組織またはアプリでのあなたの役割に基づいて送信されています。',
  choose: '受け取るメールの選択',
  unsubscribe: 'この種類のメールの配信を停止',
}
