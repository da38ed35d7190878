import type { Drive } from './choices.ts'
import type { Day } from './day.ts'
import { operatorSteps } from './operator-steps.ts'
import { personSteps } from './person-steps.ts'
import type { Step } from './steps.ts'
import { tokenSteps } from './token-steps.ts'

const drives: Drive<Step['do']> = { ...personSteps, ...tokenSteps, ...operatorSteps }

/** @throws AssertionError if the servers and the model differ */
export const drive = (day: Day, step: Step): Promise<void> => drives[step.do](day, step as never)
