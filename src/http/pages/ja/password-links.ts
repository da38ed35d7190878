import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.link': 'パスワードをお忘れですか？',
  'forgotten.title': 'パスワードをお忘れですか？',
  'forgotten.heading': 'パスワードをお忘れですか？',
  'forgotten.lead':
    '新しいパスワードを設定するためのリンクを、アカウントのメールアドレスに送信します。',
  'forgotten.submit': 'リンクを送信',
  'forgotten.incomplete': 'メールアドレスを入力してください。',
  'forgotten.sentTitle': 'メールの確認',
  'forgotten.sentHeading': 'メールの確認',
  'forgotten.sent': '{email}のアカウントにパスワードが設定されている場合は、リンクが届きます。',
  'forgotten.sentHint':
    'リンクは30分以内に1回だけ有効です。届かない場合は、迷惑メールフォルダーを確認してください。',
  'forgotten.back': 'サインイン',
  'newPassword.title': '新しいパスワード',
  'newPassword.heading': '新しいパスワードの設定',
  'newPassword.consequence': 'すべての場所からサインアウトし、すべてのアプリの接続が解除されます。',
  'newPassword.invitedTitle': 'パスワードの設定',
  'newPassword.invitedHeading': '{name}さん、ようこそ',
  'newPassword.account': '{email}用',
  'newPassword.password': '新しいパスワード',
  'newPassword.submit': 'パスワードを保存',
  'newPassword.doneTitle': 'パスワードを保存しました',
  'newPassword.doneHeading': 'パスワードを保存しました',
  'newPassword.done': '新しいパスワードでサインインしてください。',
  'newPassword.signIn': 'サインイン',
  'newPassword.goneTitle': 'リンクの期限切れ',
  'newPassword.goneHeading': 'このリンクは無効になりました',
  'newPassword.gone': '使用済みか、期限切れか、リンクの送信後にパスワードが変更されています。',
  'newPassword.again': '別のリンクを取得',
}
