import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  'facts.kind': '種類',
  'facts.hint': '末尾',
  'facts.interface': 'インターフェース',
  'facts.app': 'アプリ',
  'facts.keySet': 'キーセット',
  'facts.organization': '組織',
  'facts.may': '許可した操作',
  'simulation.app': 'アプリ',
  'simulation.submit': '表示',
  'simulation.workspaces': 'ワークスペース',
  'simulation.causes.not_installed': 'アプリがここにインストールされていない',
}
