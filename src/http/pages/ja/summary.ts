import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const summary: Catalogue<typeof areas.summary> = {
  'summary.less': '以下でチェックしたものに限ります。',
  'summary.verbs.insertData': '作成',
  'summary.verbs.updateData': '更新',
  'summary.verbs.deleteData': '削除',
  'summary.verbs.records:create': '作成',
  'summary.verbs.records:update': '更新',
  'summary.verbs.records:delete': '削除',
  'summary.records': 'レコードの{verbs}',
  'summary.things.read': 'すべての内容の読み取り',
  'summary.things.readData': 'すべての内容の読み取り',
  'summary.things.addFields': 'フィールドの追加',
  'summary.things.readMembers': '組織のメンバーの表示',
  'summary.things.documents:read': 'ドキュメントの読み取り',
  'summary.things.workspace_members:read': 'メンバーの表示',
  'summary.things.table:create': 'テーブルの作成',
  'summary.things.table:modify': 'ドロップダウンフィールドの選択肢の変更',
  'summary.wideThings.teams:read': 'チームの表示',
  'summary.wideThings.rootTable:create': 'テーブルの作成',
  'summary.more': '{count, plural, other {ほか#件の操作}}',
  'summary.inAll': 'すべてのワークスペースで、{things}ができます。',
  'summary.inSome':
    '{count, plural, =0 {{things}が許可の対象ですが、使えるワークスペースはまだありません。} other {#個のワークスペースで、{things}ができます。}}',
  'summary.inOrganization': '{organization}で、{things}ができます。',
  'summary.inAllAndWide': 'すべてのワークスペースで{things}、組織全体で{wide}ができます。',
  'summary.inSomeAndWide':
    '{count, plural, =0 {組織全体で{wide}ができます。{things}も許可の対象ですが、使えるワークスペースはまだありません。} other {#個のワークスペースで{things}、組織全体で{wide}ができます。}}',
  'summary.onlyWide': '組織全体で、{wide}ができます。',
  'summary.nothing': 'データにはアクセスしません。',
  'summary.count.inAll': 'すべてのワークスペースで、{count, plural, other {#件の操作}}ができます。',
  'summary.count.inSome':
    '{places, plural, =0 {{count, plural, other {#件の操作}}が許可の対象ですが、使えるワークスペースはまだありません。} other {#個のワークスペースで、{count, plural, other {#件の操作}}ができます。}}',
  'summary.count.inOrganization':
    '{organization}で、{count, plural, other {#件の操作}}ができます。',
  'summary.sensitive': '特に確認が必要なもの：{names}',
  'summary.sensitiveAndMore': '特に確認が必要なもの：{names}、ほか{count, number}件',
}
