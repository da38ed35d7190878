import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notifications: Catalogue<typeof areas.notifications> = {
  title: '通知',
  heading: '受け取るメール',
  lead: '送信先は{email}です。',
  legend: 'メールを受け取る項目',
  'categories.requests.label': 'アプリの申請',
  'categories.requests.hint': 'メンバーがアプリを申請したとき、または管理者が申請に回答したとき。',
  'categories.apps.label': 'インストール済みアプリ',
  'categories.apps.hint': 'アプリが追加の権限を求めたとき、または90日間使われていないとき。',
  'categories.secrets.label': '失効するシークレット',
  'categories.secrets.hint': 'アプリまたはキーセットのシークレットがまもなく失効するとき。',
  'categories.operation.label': 'アプリの障害',
  'categories.operation.hint':
    'Webhook が失敗したとき、または拒否されるリクエストが通常より大幅に増えたとき。',
  always: 'アカウントまたは組織のセキュリティに関するメールは常に送信されます。',
  submit: '保存',
  saved: '設定を保存しました。',
  'unsubscribe.title': 'メールの配信停止',
  'unsubscribe.heading': 'この種類のメールの配信を停止しますか？',
  'unsubscribe.about': '次の内容のメールが届かなくなります：',
  'unsubscribe.submit': '配信を停止',
  'unsubscribe.doneTitle': '配信を停止しました',
  'unsubscribe.doneHeading': 'この種類のメールの配信を停止しました',
  'unsubscribe.doneHint': '後で再び有効にできます。',
  'unsubscribe.choose': '受け取るメールの選択',
  'unsubscribe.invalidTitle': '無効なリンク',
  'unsubscribe.invalidHeading': 'このリンクは無効です',
  'unsubscribe.invalid': '受け取るメールを選ぶには、サインインしてください。',
}
