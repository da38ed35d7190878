import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationDirectory: Catalogue<typeof areas.organizationDirectory> = {
  'directory.title': 'インストールできるアプリ',
  'directory.heading': '{organization}にインストールできるアプリ',
  'directory.lead': 'このサービスの運営者が選んだアプリです。',
  'directory.memberLead':
    'このサービスの運営者が選んだアプリです。インストールするかどうかは、管理者がアプリごとに決めます。',
  'directory.installedApps': 'インストール済みアプリ',
  'directory.find': 'アプリ',
  'directory.findSubmit': '検索',
  'directory.findAll': 'すべて表示',
  'directory.nothingFoundHeading': 'アプリが見つかりません',
  'directory.nothingFound': '名前に「{name}」を含むアプリはありません。',
  'directory.emptyHeading': '掲載されているアプリはありません',
  'directory.empty':
    '運営者はまだアプリを掲載していません。アプリは、そのアプリからインストールできます。',
  'directory.by': '提供元：{publisher}',
  'directory.site': 'ウェブサイト',
  'directory.install': 'インストール',
  'directory.request': '管理者に申請',
  'directory.requested': '申請済み',
  'directory.see': '申請を見る',
  'directory.installed': 'インストール済み',
  'directory.suspended': '一時停止中',
}
