import { startPrivateTask } from './private/private-task.ts'

/** Script of the page of a private task. */
startPrivateTask()
