import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {
  'members.title': 'メンバー',
  'members.heading': '{organization}のメンバー',
  'members.lead':
    '所属するメンバーと管理者は、プラットフォーム側で決まります。変更は運営者に依頼してください。',
  'members.find': '名前またはメールアドレス',
  'members.role': 'ロール',
  'members.roles.all': 'すべて',
  'members.roles.admin': '管理者',
  'members.roles.member': 'メンバー',
  'members.findSubmit': '表示',
  'members.findAll': 'すべて表示',
  'members.name': '名前',
  'members.workspaces': 'ワークスペース',
  'members.noWorkspace': 'なし',
  'members.more': 'ほか{count, number}件',
  'members.lastSignIn': '最終サインイン',
  'members.unknown': '不明',
  'members.disabled': 'アカウントは無効',
  'members.you': 'あなた',
  'members.nothingFound': '検索に一致するメンバーはいません。',
  'members.apps': 'アプリ',
  'members.noApp': 'なし',
  'members.back': 'すべてのメンバー',
  'members.appsOf': '{person}に代わって操作するアプリ',
  'members.noApps': '現在、{person}に代わって操作するアプリはありません。',
  'members.empty': 'この組織に所属しているユーザーはいません。',
}
