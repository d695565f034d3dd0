import { whole } from '../../process/option-values.ts';

export const MCP_HOST = '127.0.0.1';
export const MCP_PORT_DEFAULT = 3100;
const PORT_MAX = 65_535;

export const mcpPort = whole(0, PORT_MAX);
