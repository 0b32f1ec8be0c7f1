<?php

/**
 * The web server for callbacks of the story, as a process of its own. Writes its address, then a line of JSON for each
 * callback: the event, or "refused".
 */

declare(strict_types=1);

require __DIR__ . '/../src/autoload.php';

use Hengfu\CallbackVerificationException;
use Hengfu\CallbackVerifier;

$verifier = new CallbackVerifier(getenv('HENGFU_SECRET'));
$server = stream_socket_server('tcp://127.0.0.1:0');
fwrite(STDOUT, 'http://' . stream_socket_get_name($server, false) . "/callback\n");
while (true) {
    // Ends by itself, should the story be killed.
    $connection = @stream_socket_accept($server, 300);
    if ($connection === false) {
        exit(1);
    }
    if (fgets($connection) === false) {
        continue;
    }
    $headers = [];
    while (($line = trim((string) fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) ($headers['content-length'] ?? 0));
    try {
        $report = $verifier->verify($headers, $body);
        $status = '204 No Content';
    } catch (CallbackVerificationException) {
        $report = 'refused';
        $status = '401 Unauthorized';
    }
    fwrite(STDOUT, json_encode($report, JSON_THROW_ON_ERROR) . "\n");
    fwrite($connection, "HTTP/1.1 $status\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    fclose($connection);
}
