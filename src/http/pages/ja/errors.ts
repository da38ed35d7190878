import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const errors: Catalogue<typeof areas.errors> = {
  'error.reference': '参照 ID',
  'error.forDevelopers': 'アプリの開発者向け',
  'error.code': 'エラー',
  'error.description': '説明',
  'error.explained': '各エラーの意味',
  'error.home': 'ホーム',
  'error.signIn': 'サインイン',
  'error.tryAgain': 'もう一度試す',
  'error.loadAgain': 'ページを再読み込み',
  'error.request.heading': 'このアプリから無効なリクエストがありました',
  'error.request.message': 'アプリからのリンクが不完全か、誤っています。何も共有されていません。',
  'error.request.move':
    '修正できるのはアプリの開発者だけです。以下の参照 ID を開発者に伝えてください。',
  'error.unknownApp.heading': 'このアプリは登録されていません',
  'error.unknownApp.message':
    'リクエストのアプリ ID が登録されていません。何も共有されていません。',
  'error.unknownApp.move': 'アプリに戻り、以下の参照 ID を添えて開発者に連絡してください。',
  'error.unreviewedApp.heading': 'このアプリは審査されていません',
  'error.unreviewedApp.message':
    'アプリがこのサービスに登録されていません。何も共有されていません。',
  'error.unreviewedApp.move':
    'アプリの許可を、組織の管理者またはこのサービスの運営者に依頼してください。その際、以下の参照 ID を伝えてください。',
  'error.waitingApp.heading': 'このアプリは審査待ちです',
  'error.waitingApp.message':
    '先に、このサービスの運営者による審査が必要です。何も共有されていません。',
  'error.waitingApp.move':
    'しばらくしてからもう一度お試しください。お急ぎの場合は、以下の参照 ID を添えてこのサービスの運営者にお問い合わせください。',
  'error.unreadableApp.heading': 'このアプリの情報を読み取れませんでした',
  'error.unreadableApp.message':
    'アプリが公開している情報がないか、規則に違反しています。何も共有されていません。',
  'error.unreadableApp.move':
    'しばらくしてからもう一度お試しください。繰り返し発生する場合は、以下の参照 ID を添えてアプリの開発者に連絡してください。',
  'error.redirectUri.heading': 'このアプリは未登録のアドレスに移動しようとしています',
  'error.redirectUri.message':
    'アカウントを保護するため、ここで停止しました。何も共有されていません。',
  'error.redirectUri.move':
    'アプリの開発者が、アドレスを登録するかリンクを修正する必要があります。',
  'error.redirectUriOnDevice.heading': 'このプログラムは未登録のアドレスに戻ろうとしています',
  'error.redirectUriOnDevice.message':
    'このコンピューターのプログラムがアクセスを求めていますが、そのアドレスは登録されていません。何も共有されていません。',
  'error.redirectUriOnDevice.move':
    'このアプリのアドレスの登録を運営者に依頼してください。プログラムと同じ表記の http://localhost または http://127.0.0.1 と、同じパスが必要です。シークレットのないアプリは、登録後は任意のポートを使用できます。',
  'error.installLink.heading': 'このインストールリンクは不完全です',
  'error.installLink.message': '何もインストールまたは共有されていません。',
  'error.installLink.move':
    'アプリに戻ってやり直してください。2回発生した場合は、以下の参照 ID を開発者に送ってください。',
  'error.installLinkPermissions.heading': 'このインストールリンクは不明な権限を求めています',
  'error.installLinkPermissions.message':
    'リンクに、アプリに登録されていない権限が含まれています。何もインストールされていません。',
  'error.installLinkPermissions.move': '以下の参照 ID を添えて、アプリの開発者に連絡してください。',
  'error.otherOrganization': '別の組織を選択',
  'error.suspended.heading': 'このアプリはここでは一時停止中です',
  'error.suspended.message': '組織の管理者がアプリを一時停止したため、現在アクセスできません。',
  'error.suspended.move': '組織の管理者にお問い合わせください。',
  'error.appsClosed.heading': 'このアプリはインストールされていません',
  'error.appsClosed.message':
    'この組織のメンバーが接続できるのは、インストール済みのアプリだけです。',
  'error.appsClosed.move': '組織の管理者がアプリをインストールできます。',
  'error.outOfReach.heading': 'アプリが求めるアクセスを許可できません',
  'error.outOfReach.message':
    'アプリが、あなたが参加していないか、アプリに承認されていないワークスペース、またはこの組織では使えない API を求めています。何も共有されていません。コードはまだ有効です。',
  'error.outOfReach.move': 'アクセスできる人がコードを入力するか、別のアカウントを使ってください。',
  'error.expired.heading': '時間切れです',
  'error.expired.message': 'アプリのリクエストは、有効期限が切れたか、すでに回答済みです。',
  'error.expired.move': 'アプリに戻ってやり直してください。',
  'error.answered.heading': 'すでに回答済みです',
  'error.answered.message': '最初の回答が有効です。何も変更されていません。',
  'error.answered.move': 'アプリに戻らなかった場合は、ここから続けてください。',
  'error.answered.goOn': '続ける',
  'error.form.heading': 'このフォームを受け付けられませんでした',
  'error.form.message':
    'ページの読み込み後にサインインが終了または変更されたか、フォームが別のサイトから送信されました。何も変更されていません。',
  'error.form.move': 'ページを再読み込みして、もう一度操作してください。',
  'error.notFound.heading': 'ページが見つかりません',
  'error.notFound.message': 'ページが存在しないか、表示する権限がありません。',
  'error.notFound.move': 'アドレスを確認するか、別のアカウントを使ってください。',
  'error.wrongMethod.heading': 'このページではリクエストを受け付けられません',
  'error.wrongMethod.message':
    'ページは存在しますが、この種類のリクエストは受け付けません。何も変更されていません。',
  'error.wrongMethod.move': 'リンクまたはフォームからページを開いてください。',
  'error.noDocument.heading': 'ページが見つかりません',
  'error.noDocument.message': 'このアドレスのドキュメントはありません。',
  'error.noDocument.move':
    '名前が変わった可能性があります。最初のページからすべてのページに移動できます。',
  'error.noDocument.start': 'ドキュメント',
  'error.tooMany.heading': '試行回数が多すぎます',
  'error.tooMany.message': '短時間に多くのリクエストが送信されました。何も変更されていません。',
  'error.tooMany.move': '{minutes, plural, other {#分後}}にもう一度お試しください。',
  'error.tooManyHere.heading': 'お使いのネットワークからのリクエストが多すぎます',
  'error.tooManyHere.message':
    'お使いのネットワークからの回答待ちのアクセスリクエストが多すぎます。',
  'error.tooManyHere.move':
    '先にサインインしてからアプリでやり直すと、ご自身のリクエストだけが数えられます。または、{minutes, plural, other {#分}}お待ちください。',
  'error.unavailable.heading': '現在応答できません',
  'error.unavailable.message': 'サービスの一部が利用できません。何も変更されていません。',
  'error.unavailable.move': 'こちらでの復旧が必要です。1分後にもう一度お試しください。',
  'error.server.heading': 'サーバーで問題が発生しました',
  'error.server.message': '操作は完了していません。',
  'error.server.move':
    'もう一度お試しください。2回発生した場合は、以下の参照 ID をお送りください。',
}
