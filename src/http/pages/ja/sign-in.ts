import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const signIn: Catalogue<typeof areas.signIn> = {
  'signIn.heading': 'サインイン',
  'signIn.continueTo': '{app}に進むにはサインインしてください',
  'signIn.email': 'メールアドレス',
  'signIn.password': 'パスワード',
  'signIn.showPassword': '文字を表示',
  'signIn.submit': 'サインイン',
  'signIn.help':
    'アカウントがない、またはサインインできない場合は、組織の管理者にお問い合わせください。',
  'signIn.wrong': 'サインインできませんでした。メールアドレスとパスワードを確認してください。',
  'signIn.incomplete': 'メールアドレスとパスワードを入力してください。',
  'signIn.again': 'ご本人確認のため、もう一度サインインしてください。',
  'signIn.or': 'または',
  'signIn.provider': '会社のアカウントでサインイン',
  'signIn.passkey': 'パスキーを使用',
  'signIn.passkeyFailed':
    'パスキーを使用できませんでした。もう一度試すか、別の方法を使ってください。',
  'signIn.passkeyCancelled': 'パスキーは使用されませんでした。もう一度お試しください。',
  'signIn.providerOnly': 'パスワードでのサインインは無効になっています。ボタンを使ってください。',
  'signIn.providerAway': 'サインインサービスが応答しません。1分後にもう一度お試しください。',
  'signIn.providerDenied': 'サインインサービスでキャンセルされたか、サインインが拒否されました。',
  'signIn.providerNotFresh':
    '再度サインインが必要ですが、サインインサービスで確認が行われませんでした。先にサインインサービスからサインアウトして、もう一度お試しください。',
  'signIn.providerRefused':
    'サインインサービスから無効な応答がありました。最初からやり直してください。',
  'signIn.providerUnknown':
    'このサインインは、時間がかかりすぎたか、使用済みか、別のブラウザーで開始されたものです。最初からやり直してください。',
  'signIn.tooMany':
    '試行回数が多すぎます。{minutes, plural, other {#分後}}にもう一度お試しください。',
  'refusals.disabled.heading': 'このアカウントは無効になっています',
  'refusals.disabled.message':
    'サインインサービスでは確認できましたが、このアカウントではサインインできません。',
  'refusals.disabled.move':
    '有効に戻せるのは管理者だけです。以下の参照 ID を管理者に伝えてください。',
  'refusals.email_missing.heading': 'メールアドレスがありません',
  'refusals.email_missing.message':
    'アカウントに必要なメールアドレスが、サインインサービスから送信されませんでした。',
  'refusals.email_missing.move':
    '管理者が、サインインサービスからのメールアドレスの送信を許可する必要があります。',
  'refusals.email_unverified.heading': 'メールアドレスが未確認です',
  'refusals.email_unverified.message':
    'サインインサービスで、ご本人のメールアドレスであることが確認されていません。',
  'refusals.email_unverified.move':
    'サインインサービスで確認してから、もう一度ここでサインインしてください。',
  'refusals.email_taken.heading': 'このメールアドレスは別のアカウントで使われています',
  'refusals.email_taken.message':
    'アカウントは、どちらもご本人のものと確認できた場合にのみ統合します。何も変更されていません。',
  'refusals.email_taken.move': '管理者が解決できます。以下の参照 ID を管理者に伝えてください。',
  'confirm.heading': '続けるにはパスキーを使用してください',
  'confirm.lead': 'このページには、パスワード以外の確認も必要です。',
  'confirm.use': 'パスキーを使用',
  'confirm.noneHeading': '続けるにはパスキーを追加してください',
  'confirm.none':
    'パスキーがまだありません。すぐに追加できます。デバイスで指紋、顔、または PIN を確認します。',
  'confirm.add': 'パスキーを追加',
  'confirm.elsewhere':
    'パスキーが別のデバイスにある場合や、なくした場合は、このサーバーの管理者にお問い合わせください。',
  'confirm.deny': 'インストールしない',
  'confirm.home': 'ホーム',
  'signOut.heading': 'サインアウトしますか？',
  'signOut.lead': '接続したアプリは引き続き動作します。接続は「接続済みアプリ」で解除できます。',
  'signOut.submit': 'サインアウト',
  'signOut.stay': 'サインインしたままにする',
  'endSession.heading': 'サインアウトしますか？',
  'endSession.lead': '{app}が{brand}からのサインアウトも求めています。',
  'endSession.anonymous': '別のサイトが{brand}からのサインアウトを求めています。',
  'endSession.who': '{name}（{email}）としてサインインしています。',
  'endSession.submit': 'サインアウト',
  'endSession.stay': 'サインインしたままにする',
  'signedOut.heading': 'サインアウトしました',
  'signedOut.lead': '共有のコンピューターでは、ブラウザーのウィンドウも閉じてください。',
  'signedOut.signIn': 'もう一度サインイン',
  'signedOut.provider':
    'サインインサービスにはサインインしたままの可能性があります。その場合、次にこのブラウザーを使う人がパスワードなしでサインインできてしまいます。',
  'signedOut.signOutThere': 'サインインサービスからもサインアウト',
}
