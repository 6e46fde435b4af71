import { startWorklist } from './me/worklist.ts'

/** The island of “My work”. */
await startWorklist()
