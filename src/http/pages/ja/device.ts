import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const device: Catalogue<typeof areas.device> = {
  'device.heading': 'デバイスの接続',
  'device.lead':
    'デバイスまたはプログラムに表示されているコードを入力してください。アクセスを求めているアプリが表示されます。',
  'device.label': 'コード',
  'device.hint': 'BCDF-GHJK のような8文字の英字です。ハイフンは省略できます。',
  'device.compare':
    'お使いのデバイスにまったく同じコードが表示されている場合にのみ続けてください。',
  'device.warningTitle': 'ご自身で開始した場合にのみ続けてください',
  'device.warning':
    'ほかの人からこのコードやリンクを受け取った場合は、このページを閉じてください。相手のデバイスが、あなたとしてアクセスできるようになってしまいます。電話、メール、チャットでコードをお尋ねすることはありません。',
  'device.submit': '続ける',
  'device.unknown':
    'このコードは無効です。文字を確認してください。コードは10分間、1回だけ有効です。',
  'device.malformed':
    'デバイスのコードではありません。コードは BCDF-GHJK のような8文字の英字です。',
  'device.shows': '別のデバイスで開始されました。次のコードが表示されています：',
  'device.started':
    '{minutes, plural, =0 {たった今、} other {#分前に}}{address}から{device, select, none {開始されました。} other {{device}で開始されました。}}',
  'device.doubt':
    'ご自身で開始した場合にのみ続けてください。アクセスできるようになるのは、このブラウザーではなくそのデバイスです。',
  'device.returns': '回答後、デバイスで続けてください。',
  'device.approved.heading': 'デバイスを接続しました',
  'device.approved.message':
    'デバイスに戻ってください。数秒で自動的に続行します。このページは閉じてもかまいません。',
  'device.denied.heading': 'アクセスを拒否しました',
  'device.denied.message': 'デバイスはアクセスできません。このページは閉じてもかまいません。',
  'device.late.heading': 'このコードは無効になりました',
  'device.late.message':
    'コードの有効期限が切れたか、すでに回答済みです。デバイスで新しいコードを使ってやり直してください。',
}
