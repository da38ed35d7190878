import { currentChanges, legacyChanges } from './changes-steps.ts'
import { installToken } from './current-install.ts'
import { fewerPermissions, fewerWorkspaces, refresh, replay, tooMuch } from './current-refresh.ts'
import * as current from './current-sign-in.ts'
import { currentData, legacyData } from './data-steps.ts'
import * as legacy from './legacy-steps.ts'
import type { Chapter, Step } from './step.ts'
import type { TrackName } from './visit.ts'

export const chapters: Record<TrackName, Chapter> = {
  current: {
    name: 'current',
    title: 'Report Builder',
    steps: [
      current.authorize,
      current.exchange,
      currentData,
      refresh,
      fewerPermissions,
      fewerWorkspaces,
      tooMuch,
      replay,
      installToken,
      current.push,
      currentChanges,
    ],
  },
  legacy: {
    name: 'legacy',
    title: 'Sheet Sync',
    steps: [
      legacy.authorize,
      legacy.exchange,
      legacyData,
      legacyChanges,
      legacy.refresh,
      legacy.fewerPermissions,
      legacy.implicit,
    ],
  },
}

export const pathOf = (chapter: Chapter, step: Step) => `/${chapter.name}/${step.id}`

export const isChapter = (name: string): name is TrackName => Object.hasOwn(chapters, name)
