package kafkatest

import (
	"fmt"
	"runtime"
	"syscall"
)

// reservation keeps a port of 127.0.0.1 from everybody who asks the kernel for any free port, for as long as the cluster
// lives and also while its broker is down. The socket is bound but never listens: a Linux server which sets
// SO_REUSEADDR, as Java does, can listen on the port all the same, and without one a connection is refused.
type reservation struct {
	port   int
	socket int // -1 once released
}

func reservePort() (*reservation, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	port, err := bindLoopback(fd)
	if err != nil {
		syscall.Close(fd)
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	r := &reservation{port: port, socket: fd}
	if runtime.GOOS != "linux" { // elsewhere the bound socket would keep the broker out as well
		r.release()
	}
	return r, nil
}

func bindLoopback(fd int) (int, error) {
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return 0, err
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, err
	}
	address, ok := name.(*syscall.SockaddrInet4)
	if !ok {
		return 0, fmt.Errorf("the kernel bound %T instead of an IPv4 address", name)
	}
	return address.Port, nil
}

func (r *reservation) release() {
	if r.socket >= 0 {
		syscall.Close(r.socket)
		r.socket = -1
	}
}

func (r *reservation) address() string { return fmt.Sprintf("%s:%d", loopback, r.port) }
