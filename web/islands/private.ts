import { startPrivateTask } from './private/private-task.ts'

/** The island of the page of a private task. */
startPrivateTask()
