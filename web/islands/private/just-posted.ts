const NAME = 'task-market:posted'

/**
 * Stores in this tab that the visitor posted a private task. The task's page then tries to show the task without a
 * click.
 */
export function keepPosted(taskId: string): void {
  sessionStorage.setItem(NAME, taskId)
}

/** Returns true if `keepPosted` stored this task. Removes the stored id: a second call returns false. */
export function takePosted(taskId: string): boolean {
  const isPosted = sessionStorage.getItem(NAME) === taskId
  if (isPosted) sessionStorage.removeItem(NAME)
  return isPosted
}
