import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': '前回の確認後の新着',
  'notices.you': 'あなた',
  'notices.sentences.passkey.added':
    '{day}に{address, select, none {} other {{address}から}}パスキーが追加されました。',
  'notices.sentences.key_set.created':
    '{day}に{address, select, none {} other {{address}から}}{actor}が{organization}のキーセット{client}を作成しました。',
  'notices.sentences.key_set.rotated':
    '{day}に{address, select, none {} other {{address}から}}{actor}が{organization}のキーセット{client}の新しいシークレットを作成しました。',
  'notices.sentences.install.approved':
    '{day}に{address, select, none {} other {{address}から}}{actor}が{organization}に{client}をインストールしました。',
  'notices.doubt': '心当たりがない場合は、不明なセッションを終了してください：',
  'notices.dismiss': '確認しました',
}
