import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organization: Catalogue<typeof areas.organization> = {
  navigation: '組織のページ',
  label: '組織',
  'tabs.apps': 'アプリ',
  'tabs.members': 'メンバー',
  'tabs.keys': 'キーセット',
  'tabs.activity': 'アクティビティ',
  'tabs.review': '見直し',
  'tabs.policy': 'ルール',
  'tabs.inspect': '検査',
  toDecide: '{count, number}件が承認待ち',
  outdated: 'ほかのユーザーが変更しました。現在の状態を表示しています。',
  'facts.may': '許可された操作',
  'facts.where': '対象',
  'facts.everywhere': 'すべてのワークスペース（今後追加されるものを含む）',
  'facts.nowhere': 'ワークスペースなし',
  'facts.never': '未使用',
  'facts.ends': '期限',
  'facts.idle': '{days, plural, other {#日間使用がない場合}}',
  'facts.orIdle': '{days, plural, other {または#日間使用がない場合}}',
  'permissions.may': '許可する操作',
  'permissions.hint': '組織として許可しないものはチェックを外してください。',
  'permissions.keyHint': '作業に必要な最小限のものだけを選択してください。いつでも変更できます。',
  'editConflict.you': 'あなた',
  'editConflict.heading':
    '{who, select, none {編集中に、ほかのユーザーが変更しました。あなたの変更はまだ保存されていません。} other {編集中の{at}に、{who}が変更しました。あなたの変更はまだ保存されていません。}}',
  'editConflict.now': '現在の保存内容',
  'editConflict.yours':
    'フォームにはあなたの変更が入っています。もう一度保存すると、保存内容が置き換わります。そのままにするにはキャンセルしてください。',
  'editConflict.name': '名前',
  'editConflict.description': '説明',
  'editConflict.none': 'なし',
}
