/** The used part of a route of the app. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods of a path in order, for the header `Allow`; empty when there is no such route. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const methods = new Set(routes.filter((route) => leadsTo(route.path, path)).map(({ method }) => method));
  // The server answers HEAD wherever there is GET.
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
}

/** True if the path matches the route; `:name` matches any part but an empty one. */
function leadsTo(route: string, path: string): boolean {
  const [wanted, given] = [route.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
