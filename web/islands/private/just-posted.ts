const NAME = 'task-market:posted'

/** Keeps in this tab that its visitor has just posted a private task: its page opens it at once. */
export function keepPosted(taskId: string): void {
  sessionStorage.setItem(NAME, taskId)
}

/** Says whether the visitor has just posted that task, once. */
export function takePosted(taskId: string): boolean {
  const isPosted = sessionStorage.getItem(NAME) === taskId
  if (isPosted) sessionStorage.removeItem(NAME)
  return isPosted
}
