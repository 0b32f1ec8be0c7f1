<?php

declare(strict_types=1);

/**
 * A service for one test, as a process of its own: gives one reply after the other, as the JSON in its first argument
 * says. Writes its port, then each request that arrives as a line of JSON.
 */
$replies = json_decode($argv[1], true, 64, JSON_THROW_ON_ERROR);
$server = stream_socket_server('tcp://127.0.0.1:0');
fwrite(STDOUT, substr(strrchr(stream_socket_get_name($server, false), ':'), 1) . "\n");
for ($count = 0;; $count++) {
    $connection = stream_socket_accept($server, 60);
    if ($connection === false) {
        exit(0);
    }
    [$method, $path] = explode(' ', fgets($connection));
    $headers = [];
    while (($line = trim(fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) ($headers['content-length'] ?? 0));
    fwrite(STDOUT, json_encode(compact('method', 'path', 'headers', 'body')) . "\n");
    $reply = $replies[$count] ?? ['status' => 500, 'body' => 'one attempt too many'];
    if ($reply !== 'drop') {
        fwrite($connection, "HTTP/1.1 {$reply['status']} Reply\r\nconnection: close\r\n");
        foreach ($reply['headers'] ?? [] as $name => $value) {
            fwrite($connection, "$name: $value\r\n");
        }
        fwrite($connection, 'content-length: ' . strlen($reply['body']) . "\r\n\r\n" . $reply['body']);
    }
    fclose($connection);
}
