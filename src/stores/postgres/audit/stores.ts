import type { Database } from '../connection/database.ts'
import { createActivityStore } from './activity.ts'
import { createAuditStore } from './audit.ts'
import { createAuditLogStore } from './audit-log.ts'
import { createConsoleOverviewStore } from './console-overview.ts'
import { createRefusedPageStore } from './refused-pages.ts'
import { createSecurityNoticeStore } from './security-notices.ts'
import { createAppUsageStore, createUsageReportStore, createUsageStore } from './usage.ts'

export const auditStores = (database: Database) => ({
  activity: createActivityStore(database),
  appUsage: createAppUsageStore(database),
  audit: createAuditStore(database),
  auditLog: createAuditLogStore(database),
  consoleOverview: createConsoleOverviewStore(database),
  refusedPages: createRefusedPageStore(database),
  securityNotices: createSecurityNoticeStore(database),
  usage: createUsageStore(database),
  usageReport: createUsageReportStore(database),
})
